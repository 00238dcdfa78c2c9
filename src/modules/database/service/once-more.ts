import { isThenable, type MaybePromise } from '../../../framework';
import { DatabaseError } from '../adapters/database-error';

/** Repeats a statement that failed because of another transaction, once. */
export function onceMore<T>(run: () => MaybePromise<T>): MaybePromise<T> {
  const recover = (error: unknown): MaybePromise<T> => {
    if (error instanceof DatabaseError && error.kind === 'conflict') return run();
    throw error;
  };
  try {
    const result = run();
    return isThenable(result) ? Promise.resolve(result).catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
