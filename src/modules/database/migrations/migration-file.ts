import { ConfigurationError } from '../../../framework';
import type { Dialect } from '../adapters/database-adapter';
import type { ScriptError } from '../adapters/script-error';
import { isChecksumOf, recordMigration } from './migrations-table';
import { statementsOf } from './sql-statements';

/** Statements that would end the transaction in which all files are applied. */
const TRANSACTION = ['BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT'];

/** Some editors begin files with it; it is part of no statement. */
const BYTE_ORDER_MARK = /^\ufeff/;

/** Characters of a statement that a message shows. */
const MAX_SHOWN = 100;

/** A file with statements. */
export class MigrationFile {
  readonly name: string;
  readonly #file: string;
  readonly #text: string;

  /** @param file for messages */
  constructor(file: string, name: string, text: string) {
    this.name = name;
    this.#file = file;
    this.#text = text;
  }

  /** Whether a checksum was recorded for this text. */
  hasChecksum(recorded: string): boolean {
    return isChecksumOf(recorded, this.#text);
  }

  /**
   * Returns its statements, and the one that records it.
   * @throws ConfigurationError for a statement that ends the transaction
   */
  scripts(dialect: Dialect): readonly FileStatement[] {
    const statements = statementsOf(this.#text.replace(BYTE_ORDER_MARK, ''), dialect);
    const ending = statements.find(({ words: [first = '', second] }) => {
      // A savepoint is part of the transaction.
      return TRANSACTION.includes(first) && !(first === 'ROLLBACK' && second === 'TO');
    });
    if (ending !== undefined) {
      throw new ConfigurationError(
        `${this.#file}:${ending.line}: remove ${ending.words[0]}. All pending files are applied in one transaction.`,
      );
    }
    const recording = { file: this.#file, text: recordMigration(this.name, this.#text, dialect) };
    return [...statements.map((statement) => ({ file: this.#file, ...statement })), recording];
  }
}

/** A statement of a file, or the one that records it. */
export interface FileStatement {
  readonly file: string;
  readonly text: string;
  /** Of a statement of the file. */
  readonly line?: number;
  readonly words?: readonly string[];
}

/** Describes the failure of a statement: its file and line, the reason, and its beginning. */
export function describeFailure(
  { message, offset = 0 }: ScriptError,
  { file, text, line }: FileStatement,
): string {
  if (line === undefined)
    return `${file}: its statements succeeded, but it cannot be recorded as applied: ${message}\nNothing was applied.`;
  // PostgreSQL counts characters, not UTF-16 code units.
  const before = Array.from(text).slice(0, offset).join('').split('\n').length - 1;
  const [shown = ''] = text.split('\n').slice(before);
  const excerpt = shown.trim().slice(0, MAX_SHOWN);
  return `${file}:${line + before}: ${message}\n    ${excerpt}\nNothing was applied.`;
}

/** Describes the failure of the commit. @param files the one that made it fail, or all if that is unknown */
export function describeCommit({ message }: ScriptError, files: readonly string[]): string {
  const [file = '', ...others] = files;
  const where = others.length === 0 ? file : `One of the files ${files.join(', ')}`;
  return `${where}: ${message}\nThe statements succeeded; the commit failed, as it does for a violated deferred constraint.\nNothing was applied.`;
}
