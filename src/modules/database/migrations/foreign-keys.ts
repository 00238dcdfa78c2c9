import { unquote } from '../adapters/sqlite/schema/table-sql';
import type { FileStatement } from './migration-file';

/**
 * Whether statements of SQLite contain `PRAGMA foreign_keys = OFF`, as the documented way to change a table does
 * (https://sqlite.org/lang_altertable.html#otheralter). It has no effect in the transaction of migrations: dropping the
 * old table would delete the rows that refer to it. The adapter does what it says instead.
 */
export function turnsForeignKeysOff(statements: readonly Pick<FileStatement, 'words'>[]): boolean {
  return statements.some(({ words = [] }) => PRAGMA_OFF.test(words.map(unquote).join(' ')));
}

/** SQLite takes any other value for OFF. */
const PRAGMA_OFF = /^PRAGMA (?:\S+ \. )?FOREIGN_KEYS [=(] (?!(?:\+ )?(?:ON|YES|TRUE|0*[1-9]\d*)\b)/;
