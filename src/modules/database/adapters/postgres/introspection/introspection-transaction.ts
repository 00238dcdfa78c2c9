import type { Row } from '../../database-adapter';
import { query, type ConnectionUse } from '../connections/connection-use';
import { Deadline } from '../deadline';

/**
 * Milliseconds for reading the tables, at least, while nothing is served: a busy machine is slow at the start. A lock on any
 * table holds them up, and later, other nodes wait for an answer.
 */
const INTROSPECTION_TIMEOUT_MS = 30_000;

/**
 * Compiling the query that reads the tables takes seconds; it takes milliseconds without, and tenths of a second for hundreds
 * of tables. Of this transaction, where the server has the setting (PostgreSQL 11).
 */
const WITHOUT_JIT = `SELECT set_config('jit', 'off', true) FROM pg_settings WHERE name = 'jit'`;

/**
 * Begins the transaction that reads the tables of a database.
 * @param timeout milliseconds that other statements may take
 * @param mayBlock whether nothing is served yet
 * @returns a function that executes a query in it
 */
export async function beginIntrospection(
  use: ConnectionUse,
  timeout: number,
  mayBlock: boolean,
): Promise<(text: string) => Promise<readonly Row[]>> {
  const most = mayBlock ? Math.max(timeout, INTROSPECTION_TIMEOUT_MS) : timeout;
  for (const text of ['BEGIN READ ONLY', `SET LOCAL statement_timeout = ${most}`, WITHOUT_JIT])
    await query(use, new Deadline({}, timeout), text);
  return async (text) => (await query(use, new Deadline({}, most), text)).rows;
}
