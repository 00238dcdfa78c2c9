import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ConfigurationError, createFolders, createForOwner, systemErrorCode } from '../../../../framework';
import type { BlockingOptions, ExplainOptions, Row, SqlStatement, SqlValue } from '../database-adapter';
import { DatabaseError } from '../database-error';
import { rowsOfPage } from '../row-length';
import { FailedRule } from './schema/failed-rule';
import { QueryPlans } from './schema/query-plans';
import { ScanDecisions } from './scan-decisions';
import { SqliteConnection } from './sqlite-connection';
import { SQLITE_PACKAGE, sqliteDriver } from './sqlite-driver';
import { executeScripts, rollBack, type Scripts } from './threads/script-transaction';

/**
 * Pages in the write-ahead log after which the main thread copies them into the database itself. That waits for the
 * disk: a thread does it earlier.
 */
const AUTO_CHECKPOINT = 20_000;

/** Tables and indexes whose columns are read in about a millisecond. */
const FEW_TABLES = 100;

/** The length of scripts that take some milliseconds in a new database, unless they make more rows than they contain. */
const SHORT_SCRIPTS = 500_000;

/** What may make many rows, also in a text: recursive queries, and joins in both notations. */
const MANY_ROWS = /\b(?:with|join)\b|\bfrom\b[^;]*,/i;

/** What may fail after it has written: reading the rows of its result. */
const RETURNS_ROWS = /\breturning\b/i;

/** Milliseconds between two checks of the file. */
const FILE_CHECK_MS = 100;

/** The connection of the main thread, for statements that take microseconds. */
export class MainConnection {
  readonly #connection: SqliteConnection;
  readonly #decisions: ScanDecisions;
  readonly #plans: QueryPlans;
  readonly #file: string;
  readonly #identity: string | undefined;
  #checkedAt = performance.now();

  /** Opens a file; it is created with its folder if it does not exist. @throws the errors of SQLite and of the system */
  constructor(file: string) {
    makeFolderOf(file);
    // SQLite takes an empty file for a new database, and gives its other files the same owner.
    createForOwner(file, 0o644);
    this.#connection = new SqliteConnection(file, AUTO_CHECKPOINT);
    this.#decisions = new ScanDecisions(this.#connection);
    this.#plans = new QueryPlans(this.#connection);
    this.#file = file;
    this.#identity = identityOf(file);
  }

  /**
   * Whether another file has taken the place of the opened one, such as a backup: looked up at most every 100 ms. SQLite
   * itself continues with a file that has no name any more, and what it writes is lost with it.
   * @throws DatabaseError while there is no file
   */
  isReplaced(): boolean {
    const now = performance.now();
    if (now - this.#checkedAt < FILE_CHECK_MS) return false;
    const identity = identityOf(this.#file);
    if (identity === undefined)
      throw new DatabaseError('unavailable', `unable to open database file: ${this.#file} was removed`);
    this.#checkedAt = now;
    return identity !== this.#identity;
  }

  /** Whether a statement may read more rows than the main thread can wait for. @throws the errors of SQLite */
  isScan(statement: SqlStatement): boolean {
    return this.#decisions.isScan(statement);
  }

  /** @throws the errors of SQLite */
  execute(statement: SqlStatement, parameters: readonly SqlValue[]): readonly Row[] {
    const { parts, isPage = false } = statement;
    if (parts === undefined) return this.#measured(statement, () => this.#rows(statement, parameters));
    // Another process may write between two parts.
    return this.#inTransaction(() =>
      this.#connection.rowsOfParts(parts, parameters, isPage, (part, read) => this.#measured(part, read)),
    );
  }

  /** @throws the errors of SQLite */
  explain({ text }: SqlStatement, options?: ExplainOptions): readonly string[] {
    return this.#plans.planOf(text, options);
  }

  /**
   * Executes a query of the schema, if few tables make it faster than the start of a thread, or it may block the process.
   * @throws the errors of SQLite
   */
  schemaRows(text: string, { mayBlock = false }: BlockingOptions): readonly Row[] | undefined {
    if (!mayBlock && !this.#hasFewTables()) return undefined;
    return this.#connection.rows(text) as readonly Row[];
  }

  /**
   * Executes scripts in one transaction if they fill a new database, which takes less than the start of a thread.
   * @returns false for other scripts, which it leaves to a thread
   * @throws the errors of SQLite, with the index of the script that failed
   */
  fill(scripts: Scripts): boolean {
    const isNew = this.#connection.rows('SELECT 1 FROM sqlite_schema LIMIT 1').length === 0;
    if (!isNew || !areShort(scripts.scripts)) return false;
    // Requests do not share what scripts set for their connection.
    const connection = new SqliteConnection(this.#file, AUTO_CHECKPOINT);
    try {
      executeScripts(connection, scripts);
      emptyLog(connection);
    } finally {
      connection.close();
    }
    return true;
  }

  /** Finds the rule that failed in a statement. */
  failedRule(text: string): FailedRule {
    return new FailedRule(this.#connection, text);
  }

  close(): void {
    this.#connection.close();
  }

  /** Reads the rows of a statement, or of a part of one. */
  #measured({ text }: Pick<SqlStatement, 'text'>, read: () => readonly Row[]): readonly Row[] {
    const begin = performance.now();
    const rows = read();
    this.#decisions.measured({ text }, performance.now() - begin);
    return rows;
  }

  #hasFewTables(): boolean {
    const [counted] = this.#connection.rows('SELECT count(*) AS total FROM sqlite_schema') as readonly Row[];
    return Number(counted?.total) <= FEW_TABLES;
  }

  /**
   * A row that a write returns may be unreadable, such as one with an integer beyond 2^53. Without a transaction, SQLite
   * would have committed the write that is then reported as failed.
   */
  #inTransaction(execute: () => readonly Row[], check?: SqlStatement['check']): readonly Row[] {
    this.#connection.prepare('BEGIN').all();
    try {
      const rows = execute();
      check?.(rows);
      this.#connection.prepare('COMMIT').all();
      return rows;
    } catch (error) {
      rollBack(this.#connection);
      throw error;
    }
  }

  #rows(
    { text, kind, single = false, isPage = false, check }: SqlStatement,
    parameters: readonly SqlValue[],
  ): readonly Row[] {
    const connection = this.#connection;
    if (kind === 'write') {
      // A write has taken effect only when all of its rows are read.
      const all = (): readonly Row[] => connection.prepare(text).all(...parameters) as readonly Row[];
      return RETURNS_ROWS.test(text) ? this.#inTransaction(all, check) : all();
    }
    return connection.read(text, parameters, (prepared) => {
      if (isPage) return rowsOfPage(prepared.iterate(...parameters));
      if (!single) return prepared.all(...parameters) as readonly Row[];
      const row = prepared.get(...parameters);
      return row === undefined ? [] : [row as Row];
    });
  }
}

function areShort(scripts: readonly string[]): boolean {
  const length = scripts.reduce((sum, script) => sum + script.length, 0);
  return length <= SHORT_SCRIPTS && !scripts.some((script) => MANY_ROWS.test(script));
}

/** Moves the log into the file, so that the file alone is the database, and its end has nothing to move. */
function emptyLog(connection: SqliteConnection): void {
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The scripts have taken effect; the log is moved later.
  }
}

function makeFolderOf(file: string): void {
  const folder = dirname(file);
  try {
    createFolders(folder);
  } catch (cause) {
    const code = systemErrorCode(cause);
    const isFile = code === 'EEXIST' || code === 'ENOTDIR';
    const reason = isFile
      ? 'a part of this path is a file. Move the file away, or choose another "file" for the database'
      : `the system reports ${code}. Create it, and grant write access to the user of this process`;
    throw new DatabaseError('unavailable', `The folder ${folder} cannot be created: ${reason}.`, { cause });
  }
}

/** What distinguishes a file from another one of the same name; undefined if there is none. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev} ${found.ino}`;
}

/** @throws ConfigurationError if this version of Node.js has no complete SQLite, and no package replaces it */
export function assertDriver(): void {
  try {
    sqliteDriver();
  } catch (cause) {
    throw new ConfigurationError(
      `SqliteAdapter requires the package ${SQLITE_PACKAGE}, or Node.js 22.16 or later. ` +
        `Install it: npm install ${SQLITE_PACKAGE}`,
      { cause },
    );
  }
}
