import { isBuiltin } from 'node:module';

// Worker threads load this file as well: it does not import the framework, which would slow their start.

const load = require;

/** The package that replaces `node:sqlite` on versions of Node.js without it, or with an incomplete one. */
export const SQLITE_PACKAGE = '@photostructure/sqlite';

/** What executes a prepared statement. */
export interface PreparedStatement {
  all(...parameters: readonly unknown[]): unknown[];
  get(...parameters: readonly unknown[]): unknown;
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
  /** Whether integers of its result are of the type bigint. */
  setReadBigInts(enabled: boolean): void;
}

/** What the adapter uses of a prepared statement: the interface of `node:sqlite`. */
export interface DriverStatement extends PreparedStatement {
  /** Whether rows are lists of values. */
  setReturnArrays(enabled: boolean): void;
  /** The columns of its result, with their declared types. */
  columns(): readonly { readonly name: string; readonly type: string | null }[];
}

/** What the adapter uses of a connection: the interface of `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): DriverStatement;
  /** Defines a function of SQL, for this connection. */
  function(
    name: string,
    options: { readonly deterministic: boolean },
    definition: (value: number) => string,
  ): void;
  close(): void;
}

interface SqliteDriver {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
  readonly StatementSync: { readonly prototype: object };
  readonly backup: (
    source: SqliteDatabase,
    target: string,
    options: { readonly rate: number },
  ) => Promise<unknown>;
}

/**
 * Opens a file with `node:sqlite`, or with its replacement.
 *
 * @throws the error of `require` if neither is installed, and the errors of SQLite
 */
export function openDatabase(file: string): SqliteDatabase {
  return new (sqliteDriver().DatabaseSync)(file);
}

/** Loads the driver at its first use. @throws the error of `require` if it is not installed */
export function sqliteDriver(): SqliteDriver {
  const builtIn = isBuiltin('node:sqlite') ? withoutWarnings(() => driverFrom('node:sqlite')) : undefined;
  // Before 22.16, it describes no results, copies no files and has no full-text search.
  return builtIn !== undefined && 'columns' in builtIn.StatementSync.prototype
    ? builtIn
    : driverFrom(SQLITE_PACKAGE);
}

function driverFrom(specifier: string): SqliteDriver {
  return load(specifier) as SqliteDriver;
}

/** Loading `node:sqlite` prints that it is experimental; nothing else can warn during a synchronous load. */
function withoutWarnings<T>(action: () => T): T {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return action();
  } finally {
    process.emitWarning = emitWarning;
  }
}
