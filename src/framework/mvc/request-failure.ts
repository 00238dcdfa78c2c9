import type { Problem } from '../problem/problem';
import type { Log } from '../logging/log';
import type { MvcEvent } from './mvc-event';
import { RequestLog } from './request-log';

/** A request with a 5xx response or an aborted response: the notification of `failed` observers. */
export interface RequestFailure {
  readonly event: MvcEvent;
  readonly problem: Problem;
  /** The thrown value, not necessarily an Error. */
  readonly error: unknown;
  /** Whether a stream has failed after the status was sent, so that the response was cut off; defaults to false. */
  readonly hasBegun?: boolean;
}

/** Is notified of failures; it cannot influence the response. */
export type FailureObserver = (failure: RequestFailure) => void;

/** Failures that are logged once; when there are more, they are logged again. */
const MAX_LOGGED = 1000;

/** Creates the observer that logs failures. */
export function failureLogger(log: Log): FailureObserver {
  const logged = new Set<string>();
  return function logFailure({ error, event, problem: { code, logOnce }, hasBegun = false }) {
    if (logOnce !== undefined) {
      if (logged.has(logOnce)) return;
      if (logged.size >= MAX_LOGGED) logged.clear();
      logged.add(logOnce);
    }
    const { method, path } = event.request;
    const operation = hasBegun ? { operation: event.endpoint?.name } : {};
    new RequestLog(event, log).error(
      { err: error, method, path, ...operation, ...(code === undefined ? {} : { code }) },
      hasBegun ? 'The stream of a response failed.' : 'The request failed.',
    );
  };
}
