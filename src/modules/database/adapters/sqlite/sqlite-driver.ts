import { isBuiltin } from 'node:module';

// Worker threads load this file as well: it does not import the framework, which would slow their start.

const load = require;

/** The package that replaces `node:sqlite` on versions of Node.js without it. */
export const SQLITE_PACKAGE = '@photostructure/sqlite';

/** What the adapter uses of a prepared statement: the interface of `node:sqlite`. */
export interface PreparedStatement {
  all(...parameters: readonly unknown[]): unknown[];
  get(...parameters: readonly unknown[]): unknown;
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
  /** Whether integers of its result are of the type bigint. */
  setReadBigInts(enabled: boolean): void;
  /** Whether rows are lists of values; `node:sqlite` has it from 22.16. */
  setReturnArrays?(enabled: boolean): void;
  /** The columns of its result, with their declared types; `node:sqlite` has it from 22.16. */
  columns?(): readonly { readonly name: string; readonly type: string | null }[];
}

/** What the adapter uses of a connection: the interface of `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): PreparedStatement;
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
  /** `node:sqlite` has it from 22.16. */
  readonly backup?: (
    source: SqliteDatabase,
    target: string,
    options: { readonly rate: number },
  ) => Promise<unknown>;
}

/**
 * Opens a file with `node:sqlite`, or with its replacement where it does not exist without a flag (before 22.13).
 *
 * @throws the error of `require` if neither is installed, and the errors of SQLite
 */
export function openDatabase(file: string): SqliteDatabase {
  return new (sqliteDriver().DatabaseSync)(file);
}

/** Loads the driver at its first use. @throws the error of `require` if it is not installed */
export function sqliteDriver(): SqliteDriver {
  return isBuiltin('node:sqlite')
    ? withoutWarnings(() => driverFrom('node:sqlite'))
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
