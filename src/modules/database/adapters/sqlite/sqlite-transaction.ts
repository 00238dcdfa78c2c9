import { performance } from 'node:perf_hooks';
import type { ExecutionLimits, Row, SqlExecutor } from '../database-adapter';
import { DatabaseError, withProbe } from '../database-error';
import { assertStorable } from '../storable-value';
import type { RequestLimits } from './threads/thread-client';
import type { ThreadRequest } from './threads/thread-messages';

/** Sends a request to the thread that holds the connection of the transaction. */
type Send = (request: ThreadRequest, limits: RequestLimits) => Promise<readonly Row[]>;

/**
 * Runs an action in a transaction that holds the write lock from its beginning: it never fails since another one
 * changed what it has read.
 *
 * @param timeout milliseconds of all statements of a transaction with a `bound`
 */
export async function runTransaction<T>(
  action: (executor: SqlExecutor) => Promise<T>,
  send: Send,
  limits: ExecutionLimits,
  timeout: number,
): Promise<T> {
  // Set by the end, and by the first failure: as PostgreSQL does, and since SQLite rolls back after some.
  let end: DatabaseError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let until = Infinity;
  /** Fails when the transaction has held the write lock for too long. */
  const expiry = (): Promise<never> =>
    new Promise((_, reject) => {
      if (limits.bound === undefined) return;
      until = performance.now() + timeout;
      timer = setTimeout(() => {
        end ??= new DatabaseError('timeout', 'The transaction held the write lock for too long.', {
          limit: timeout,
        });
        reject(end);
      }, timeout);
    });
  const execute: SqlExecutor['execute'] = async ({ text, isPage = false }, parameters, own = limits) => {
    if (end) throw end;
    try {
      assertStorable(parameters);
      const remaining = until === Infinity ? {} : { timeout: Math.max(until - performance.now(), 1) };
      return await send(
        { type: 'execute', text, parameters, mode: 'transaction', isPage },
        { signal: own.signal, ...remaining },
      );
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      // The transaction is open until its action has ended.
      end = withProbe(error, (query, values) =>
        send(
          { type: 'execute', text: query, parameters: values, mode: 'transaction' },
          { signal: own.signal },
        ),
      );
      throw end;
    }
  };
  try {
    await send({ type: 'begin' }, { signal: limits.signal });
    const result = await Promise.race([expiry(), action({ execute })]);
    clearTimeout(timer);
    // It cannot be committed, even if the action went on.
    if (end) throw end;
    end = new DatabaseError('unknown', 'The transaction has ended.');
    await send({ type: 'commit' }, { signal: limits.signal });
    return result;
  } catch (error) {
    clearTimeout(timer);
    end ??= new DatabaseError('unknown', 'The transaction has ended.');
    // Also after a beginning that exceeded its limits, since the thread continues. Not awaited: later requests of the
    // thread wait for it in any case.
    send({ type: 'rollback' }, {}).catch(() => undefined);
    throw error;
  }
}
