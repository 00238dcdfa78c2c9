import type { SqliteConnection } from '../sqlite-connection';
import { failureOf, type SqliteFailure } from '../sqlite-failure';
import { withoutForeignKeys } from './without-foreign-keys';

// Worker threads load this file: it does not import the framework, which would slow their start.

/** Scripts of one or several statements, which take effect together. */
export interface Scripts {
  readonly scripts: readonly string[];
  /** See `ScriptOptions`. */
  readonly areForeignKeysOff: boolean;
}

/** The failure of one of several scripts; that of the commit has the number of scripts as its index. */
class ScriptFailure extends Error implements SqliteFailure {
  readonly errcode: number | undefined;
  readonly script: number;

  constructor(cause: unknown, script: number) {
    const { message, errcode } = failureOf(cause);
    super(message, { cause });
    this.errcode = errcode;
    this.script = script;
  }
}

/**
 * Executes scripts in one transaction.
 *
 * @param commit ends the transaction; it may fail instead
 * @throws ScriptFailure, or the error of SQLite if the transaction cannot begin; nothing has changed then
 */
export function executeScripts(
  connection: SqliteConnection,
  { scripts, areForeignKeysOff }: Scripts,
  commit = (): void => connection.exec('COMMIT'),
): void {
  const run = (check: () => void): void => {
    connection.exec('BEGIN IMMEDIATE');
    try {
      for (const [index, script] of scripts.entries()) attempt(index, () => connection.exec(script));
      attempt(scripts.length, () => {
        check();
        commit();
      });
    } catch (error) {
      rollBack(connection);
      throw error;
    }
  };
  if (areForeignKeysOff) withoutForeignKeys(connection, run);
  else run(() => undefined);
}

/** Ends a transaction that has failed. */
export function rollBack(connection: SqliteConnection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // Some failures, such as a full disk, have rolled back already.
  }
}

function attempt(index: number, execute: () => void): void {
  try {
    execute();
  } catch (error) {
    throw new ScriptFailure(error, index);
  }
}
