import type { Row, SqlStatement } from '../database-adapter';
import { PageRows, rowsOfPage } from '../row-length';
import { jsonNumber, NUMBER_FUNCTION } from './json-number';
import { rowStatement } from './row-statement';
import { failureOf, isUnreadable } from './sqlite-failure';
import { StatementCache } from '../statement-cache';
import { openDatabase, type PreparedStatement, type SqliteDatabase } from './sqlite-driver';

// Worker threads load this file as well: it does not import the framework, which would slow their start.

/** Milliseconds that a statement waits synchronously for a lock. Longer waits are asynchronous retries. */
const BUSY_TIMEOUT_MS = 5;

/** A connection to a database file, with its prepared statements by text. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #prepared = new StatementCache<PreparedStatement>();

  /**
   * @param autoCheckpoint pages in the write-ahead log after which a commit copies them into the database
   * @throws the errors of SQLite
   */
  constructor(file: string, autoCheckpoint: number) {
    this.#database = openDatabase(file);
    try {
      this.#database.function(NUMBER_FUNCTION, { deterministic: true }, jsonNumber);
      // The lock of a change to WAL mode is not awaited by `busy_timeout` in all cases: the caller retries.
      this.#database.exec(
        `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
         PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${autoCheckpoint}`,
      );
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** The prepared statement of a text. @throws the errors of SQLite */
  prepare(text: string): PreparedStatement {
    // A statement that is no longer kept is finalized when it is collected.
    return (
      this.#prepared.get(text) ??
      this.#prepared.add(text, rowStatement(this.#database.prepare(text), text), text.length)
    );
  }

  /** The rows of a statement that is not used again. @throws the errors of SQLite */
  rows(text: string, ...parameters: readonly unknown[]): readonly unknown[] {
    return this.#database.prepare(text).all(...parameters);
  }

  /**
   * Executes a query.
   * @throws the errors of SQLite, with the column of an integer that its result cannot have. The statement is prepared again on
   *   its next use then: its next iteration would report this error again.
   */
  read<T>(text: string, parameters: readonly unknown[], execute: (prepared: PreparedStatement) => T): T {
    const prepared = this.prepare(text);
    try {
      return execute(prepared);
    } catch (error) {
      this.#prepared.delete(text);
      const { message } = failureOf(error);
      if (!isUnreadable({ message })) throw error;
      const column = this.#unreadableColumn(text, parameters);
      throw column === undefined
        ? error
        : new Error(`${message}, in the column "${column}"`, { cause: error });
    }
  }

  /**
   * The rows of a page. To join the parts, SQLite would copy all rows, which takes longer than to read them. The parts are
   * read from one state of the database only while a transaction is open.
   * @param execute calls the function that reads a part
   * @throws the errors of SQLite
   */
  rowsOfParts(
    parts: NonNullable<SqlStatement['parts']>,
    parameters: readonly unknown[],
    isPage: boolean,
    execute: (part: Pick<SqlStatement, 'text'>, read: () => readonly Row[]) => readonly Row[],
  ): readonly Row[] {
    const limit = Number(parameters.at(-1));
    const page = new PageRows();
    let rows: readonly Row[] = [];
    let at = 0;
    for (const part of parts) {
      const values = [...parameters.slice(at, at + part.parameters - 1), limit - rows.length];
      at += part.parameters;
      const earlier = rows;
      rows = execute(part, () =>
        this.read(part.text, values, (prepared) =>
          isPage
            ? rowsOfPage(prepared.iterate(...values), page)
            : earlier.concat(prepared.all(...values) as readonly Row[]),
        ),
      );
      if (rows.length >= limit || page.isFull) break;
    }
    return rows;
  }

  #unreadableColumn(text: string, parameters: readonly unknown[]): string | undefined {
    const statement = this.#database.prepare(text);
    statement.setReadBigInts(true);
    for (const row of statement.iterate(...parameters))
      for (const [name, value] of Object.entries(row as Row))
        if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value))) return name;
    return undefined;
  }

  /** Executes a script. @throws the errors of SQLite */
  exec(script: string): void {
    this.#database.exec(script);
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }
}
