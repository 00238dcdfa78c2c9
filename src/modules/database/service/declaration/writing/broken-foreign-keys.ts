import { ownValue } from '../../../../../framework';
import { quotedName } from '../../../adapters/postgres/qualified-name';
import type { DatabaseModel, ForeignKeyModel } from '../../../introspection/table-model';
import type { Table } from '../../../table/table';
import { isKey } from '../../../table/table-key';
import type { TableServiceDefinition } from '../table-definition';
import { isCreating } from './unwritable-columns';

/**
 * Returns a warning for each foreign key for whose table SQLite has no key, which it finds out only when a row is written
 * (https://sqlite.org/foreignkeys.html#fk_indexes). PostgreSQL does not create such foreign keys.
 * @param where service name, for messages
 */
export function brokenForeignKeyWarnings(
  declared: TableServiceDefinition,
  table: Table,
  tables: DatabaseModel['tables'],
  where: string,
): readonly string[] {
  if (table.dialect !== 'sqlite') return [];
  const operations = [declared.collection ?? {}, declared.entity ?? {}];
  const addsOrDeletes =
    isCreating(declared, table) || operations.some(({ DELETE: one }) => one !== undefined);
  const changes = operations.some(({ PUT: put, PATCH: patch }) => put !== undefined || patch !== undefined);
  return table.foreignKeys.flatMap((key) => {
    const isChanged = table.columns.some(
      ({ name, isWritable }) => isWritable && key.columns.includes(name) && !isKey(table, name),
    );
    const fault = addsOrDeletes || (changes && isChanged) ? faultOf(key, tables) : undefined;
    if (fault === undefined) return [];
    const columns = key.columns.map(quotedName).join(', ');
    return [
      `${where}: the foreign key (${columns}) of ${table.name} refers to ${key.table}, ${fault}, or remove the foreign key: SQLite refuses to create and delete rows and to change these columns, and such requests respond with 503.`,
    ];
  });
}

/** Why no row can be looked up by a foreign key, and what to do; undefined if rows can. */
function faultOf(
  { table, references }: ForeignKeyModel,
  tables: DatabaseModel['tables'],
): string | undefined {
  const target = ownValue(tables, table);
  if (target?.kind !== 'table') return 'which is not a table. Create it';
  const { primaryKey, unique } = target;
  const isKnown = [primaryKey, ...unique].some(
    (one) => one.length === references.length && one.every((name) => references.includes(name)),
  );
  if (references.length > 0 && isKnown) return undefined;
  return references.length === 0
    ? 'which has no primary key. Name the columns that it refers to'
    : `where (${references.map(quotedName).join(', ')}) is not unique. Create a unique index on it`;
}
