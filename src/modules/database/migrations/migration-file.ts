import { ConfigurationError } from '../../../framework';
import type { Dialect } from '../adapters/database-adapter';
import type { ScriptError } from '../adapters/script-error';
import { checksumOf, recordMigration } from './migrations-table';
import { statementsOf, type ScriptStatement } from './sql-statements';

/** Statements that would end the transaction in which all files are applied. */
const TRANSACTION = ['BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT'];

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

  get checksum(): string {
    return checksumOf(this.#text);
  }

  /**
   * Returns its statements, and the one that records it.
   * @throws ConfigurationError for a statement that ends the transaction
   */
  scripts(dialect: Dialect): readonly FileStatement[] {
    const statements = statementsOf(this.#text, dialect);
    const ending = statements.find(({ words: [first = '', second] }) => {
      // A savepoint is part of the transaction.
      return TRANSACTION.includes(first) && !(first === 'ROLLBACK' && second === 'TO');
    });
    if (ending !== undefined) {
      throw new ConfigurationError(
        `${this.#file}:${ending.line}: remove ${ending.words[0]}. All pending files are applied in one transaction.`,
      );
    }
    const recording = { text: recordMigration(this.name, this.#text), line: 1, words: [] };
    return [...statements, recording].map((statement) => ({ file: this.#file, statement }));
  }
}

/** A statement of a file. */
interface FileStatement {
  readonly file: string;
  readonly statement: ScriptStatement;
}

/** Describes the failure of a statement: its file and line, the reason, and its beginning. */
export function describeFailure(
  { message, offset = 0 }: ScriptError,
  { file, statement: { text, line } }: FileStatement,
): string {
  // PostgreSQL counts characters, not UTF-16 code units.
  const before = Array.from(text).slice(0, offset).join('').split('\n').length - 1;
  const [shown = ''] = text.split('\n').slice(before);
  const excerpt = shown.trim().slice(0, MAX_SHOWN);
  return `${file}:${line + before}: ${message}\n    ${excerpt}\nNothing was applied.`;
}
