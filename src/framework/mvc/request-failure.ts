import type { Problem } from '../problem/problem';
import type { Log } from '../logging/log';
import type { MvcEvent } from './mvc-event';

/** A request that is answered with a 5xx, or is cut off: what observers of `failed` are told. */
export interface RequestFailure {
  readonly event: MvcEvent;
  readonly problem: Problem;
  /** What was thrown: anything. */
  readonly error: unknown;
}

/** Told of each failure; it can neither answer nor break anything. */
export type FailureObserver = (failure: RequestFailure) => void;

/** The observer that logs failures. What was thrown may be something that a log cannot write: it is told without it then. */
export function failureLogger(log: Log): FailureObserver {
  return function logFailure({ error, event: { request }, problem: { code } }) {
    const { id, method, path } = request;
    try {
      log.error(
        { err: error, request_id: id, method, path, ...(code === undefined ? {} : { code }) },
        'The request failed.',
      );
    } catch (unwritable) {
      log.error(
        { request_id: id, method, path },
        `The request failed, and its error could not be logged: ${String(unwritable)}`,
      );
    }
  };
}
