import type { ExecutionLimits, Rows, SqlExecutor, SqlStatement, SqlValue } from '../database-adapter';
import { assertNotAborted, DatabaseError } from '../database-error';
import { query, type ConnectionUse } from './connections/connection-use';
import { type Query, rowsOf } from './connections/connection';
import { Deadline } from './deadline';
import { HeldLocks } from './held-locks';

/**
 * Milliseconds that a transaction which is repeated waits for a lock: longer than the server needs to find a deadlock
 * (`deadlock_timeout`, one second), so that it ends one transaction of those and not all.
 */
const MAX_LOCK_WAIT_MS = 2000;

/**
 * The part of the time limit of a statement that it waits for a lock, so that a lock which it does not get is a conflict
 * rather than an exceeded limit. The server counts a wait for a row twice: for the turn among those that wait, and for the
 * transaction that has the row.
 */
const LOCK_WAIT_SHARE = 0.4;

/** What a transaction uses of its adapter. */
export interface TransactionHost {
  /** Ends with the transaction. */
  readonly use: ConnectionUse;
  /** Of a statement, in milliseconds. */
  readonly timeout: number;
  readonly prepare: (statement: SqlStatement, parameters: readonly SqlValue[]) => Query;
  readonly succeeded: () => void;
  /** @param isChange whether a change was sent, which may have been made without a result */
  readonly failed: (error: unknown, isChange: boolean) => Promise<DatabaseError>;
}

/** Runs an action in a transaction. @throws the error of the action, DatabaseError */
export async function runTransaction<T>(
  action: (executor: SqlExecutor) => Promise<T>,
  limits: ExecutionLimits,
  { use, timeout, prepare, succeeded, failed }: TransactionHost,
): Promise<T> {
  let end: DatabaseError | undefined;
  const hold = new HeldLocks(timeout);
  const run = async (step: Query, own: ExecutionLimits, statement?: SqlStatement): Promise<Rows> => {
    if ((end ??= hold.failure)) throw end;
    if (limits.bound === 'whole' || (limits.bound === 'writes' && statement?.kind === 'write')) hold.begin();
    let isChange = false;
    try {
      assertNotAborted(own);
      isChange = step === 'COMMIT';
      const deadline = new Deadline(own, isChange ? timeout : hold.remaining);
      const result = await hold.during(query(use, deadline, step));
      succeeded();
      return rowsOf(result, statement);
    } catch (error) {
      // PostgreSQL executes nothing more in the transaction, whose connection is released.
      end ??= ended();
      end = await failed(error, isChange);
      throw end;
    }
  };
  const execute: SqlExecutor['execute'] = (statement, parameters, own = limits) =>
    run(prepare(statement, parameters), own, statement);
  try {
    await run('BEGIN', limits);
    if (limits.isRepeated === true) await run(`SET LOCAL lock_timeout = ${lockWait(timeout)}`, limits);
    const result = await Promise.race([hold.expired, action({ execute })]);
    const committed = run('COMMIT', limits);
    // What the action did not wait for would be executed after COMMIT, in no transaction.
    end ??= ended();
    await committed;
    use.end();
    return result;
  } catch (error) {
    use.end('ROLLBACK');
    throw error;
  } finally {
    hold.end();
    end ??= hold.failure ?? ended();
  }
}

/** Milliseconds, of which the setting takes whole ones; 0 would be no limit. */
function lockWait(timeout: number): number {
  return Math.max(Math.floor(Math.min(MAX_LOCK_WAIT_MS, timeout * LOCK_WAIT_SHARE)), 1);
}

function ended(): DatabaseError {
  return new DatabaseError('unknown', 'The transaction has ended.');
}
