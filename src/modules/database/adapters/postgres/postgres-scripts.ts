import { ScriptError } from '../script-error';
import { offsetOf } from './postgres-errors';
import type { TransactionHost } from './postgres-transaction';

/** A number that all processes lock while they run scripts: of this application, not of its tables. */
const LOCK_KEY = 7_246_913_380_154;

/** Begins a transaction that runs scripts: waits up to a minute for other processes, and then takes any time. */
const SCRIPT_LOCK: readonly string[] = [
  'BEGIN',
  "SET LOCAL statement_timeout = '60s'",
  `SELECT pg_advisory_xact_lock(${LOCK_KEY})`,
  'SET LOCAL statement_timeout = 0',
];

/** Runs scripts in one transaction. @throws ScriptError; another DatabaseError for what precedes the scripts */
export async function runScripts(
  scripts: readonly string[],
  { use, succeeded, failed }: Pick<TransactionHost, 'use' | 'succeeded' | 'failed'>,
): Promise<void> {
  // Settings, locks and temporary tables of scripts, also of failed ones, end with their session.
  use.connection.discard();
  let executed = -SCRIPT_LOCK.length;
  try {
    for (const script of [...SCRIPT_LOCK, ...scripts, 'COMMIT']) {
      await use.connection.query(script);
      executed++;
    }
    succeeded();
  } catch (error) {
    const failure = await failed(error, false);
    // Whether a commit succeeded whose connection was lost is not known.
    const isCommit = executed === scripts.length && failure.kind !== 'unavailable';
    const isScript = executed >= 0 && (executed < scripts.length || isCommit);
    throw isScript ? new ScriptError(failure, executed, offsetOf(error)) : failure;
  } finally {
    use.end();
  }
}
