import { setTimeout as delay } from 'node:timers/promises';
import { recoverFrom, type MaybePromise } from '../../../framework';
import type { ExecutionLimits } from './database-adapter';
import { DatabaseError } from './database-error';

/** Executions of an action, the first included. */
const MAX_ATTEMPTS = 6;

/** Milliseconds before the second attempt, at most; each further one waits up to twice as long. */
const FIRST_DELAY_MS = 20;

/** Whether another transaction made a statement fail. */
export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && error.kind === 'conflict';
}

/**
 * Runs an action again that failed since another transaction changed or locked the same rows: a few times, after pauses
 * with jitter, so that those transactions do not meet again, and only within the limits.
 *
 * @param isRepeatable whether a failure is such a conflict
 * @throws the error of the last attempt
 */
export function retryConflicts<T>(
  run: () => MaybePromise<T>,
  limits: ExecutionLimits = {},
  isRepeatable: (error: unknown) => boolean = isConflict,
): MaybePromise<T> {
  const retry = async (error: unknown): Promise<T> => {
    let last = error;
    for (let attempt = 1; attempt < MAX_ATTEMPTS && isRepeatable(last); attempt++) {
      if (!(await isPaused(FIRST_DELAY_MS * 2 ** (attempt - 1), limits))) break;
      try {
        return await run();
      } catch (again) {
        last = again;
      }
    }
    throw last;
  };
  return recoverFrom(run, (error) => {
    if (isRepeatable(error)) return retry(error);
    throw error;
  });
}

/** Pauses. @returns whether the limits allow another attempt */
async function isPaused(longest: number, { signal }: ExecutionLimits): Promise<boolean> {
  const pause = longest * (0.5 + Math.random() / 2);
  try {
    await delay(pause, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch {
    return false;
  }
}
