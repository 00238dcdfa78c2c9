import type { ExecutionLimits, Row, SqlExecutor, SqlStatement, SqlValue } from '../database-adapter';
import { DatabaseError, withProbe } from '../database-error';
import { assertStorable } from '../storable-value';
import type { ThreadRequest } from './threads/thread-messages';

/** Sends a request to the thread that holds the connection of the transaction. */
type Send = (request: ThreadRequest, limits: ExecutionLimits) => Promise<readonly Row[]>;

/**
 * Runs an action in a transaction that holds the write lock from its beginning: it never fails since another one
 * changed what it has read.
 */
export async function runTransaction<T>(
  action: (executor: SqlExecutor) => Promise<T>,
  send: Send,
  limits: ExecutionLimits,
): Promise<T> {
  // Set by the end, and by the first failure: as PostgreSQL does, and since SQLite rolls back after some.
  let end: DatabaseError | undefined;
  const execute = async ({ text }: SqlStatement, parameters: readonly SqlValue[], own = limits) => {
    if (end) throw end;
    try {
      assertStorable(parameters);
      return await send({ type: 'execute', text, parameters, mode: 'transaction' }, own);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      // The transaction is open until its action has ended.
      end = withProbe(error, (query, values) =>
        send({ type: 'execute', text: query, parameters: values, mode: 'transaction' }, own),
      );
      throw end;
    }
  };
  try {
    await send({ type: 'begin' }, limits);
    const result = await action({ execute });
    // It cannot be committed, even if the action went on.
    if (end) throw end;
    end = new DatabaseError('unknown', 'The transaction has ended.');
    await send({ type: 'commit' }, limits);
    return result;
  } catch (error) {
    end ??= new DatabaseError('unknown', 'The transaction has ended.');
    // Also after a beginning that exceeded its limits, since the thread continues. Not awaited: later requests of the
    // thread wait for it in any case.
    send({ type: 'rollback' }, {}).catch(() => undefined);
    throw error;
  }
}
