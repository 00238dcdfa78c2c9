import {
  ConfigurationError,
  discard,
  isAbortError,
  isThenable,
  problem,
  Problem,
  toProblem,
  ViewModel,
  type MaybePromise,
  type MvcEvent,
} from '../../framework';

/** Default timeout of operations, in seconds. */
export const DEFAULT_TIMEOUT = 30;

/** One day. More is probably a mistake, and large values overflow Node's timers. */
export const MAX_SECONDS = 86_400;

/**
 * Checks a duration in seconds.
 * @param where operation name, for the message
 * @throws ConfigurationError for anything but a number from 0 to {@link MAX_SECONDS}
 */
export function parseSeconds(key: 'timeout' | 'heartbeat', seconds: number, where: string): number {
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS) return seconds;
  throw new ConfigurationError(
    `${where}: ${key} is ${seconds}. Write a number of seconds from 0 (off) to ${MAX_SECONDS}.`,
  );
}

declare module '../../framework' {
  interface MvcEvent {
    /** Aborts the work on the request after a timeout or when the client disconnects. */
    abortController?: AbortController;
    /** Whether the request has timed out: its response was sent, later results are discarded. */
    timedOut?: boolean;
  }
}

/** Returns the signal that is aborted when the client disconnects or the operation times out. */
export function signalOf(event: MvcEvent): AbortSignal {
  if (event.abortController === undefined) {
    const controller = new AbortController();
    event.abortController = controller;
    const { signal } = event.request;
    if (signal.aborted) controller.abort(signal.reason);
    else signal.addEventListener('abort', () => abortInContext(event, controller), { once: true });
  }
  return event.abortController.signal;
}

/** Whether the signal of a request is aborted, without creating it. */
export function isAborted({ abortController, request }: MvcEvent): boolean {
  return abortController === undefined ? request.isAborted : abortController.signal.aborted;
}

/** The connection closes outside the context of any request: runs the listeners in the stored context of this one. */
function abortInContext({ runInContext, request }: MvcEvent, controller: AbortController): void {
  const abort = (): void => controller.abort(request.signal.reason);
  if (runInContext === undefined) abort();
  else runInContext(abort);
}

/**
 * Limits the time of a function. Synchronous results cost nothing extra.
 *
 * @param seconds 0 for no limit
 * @param name operation name, for the log
 */
export function withTimeout<Args extends readonly unknown[], Result>(
  act: (event: MvcEvent, ...args: Args) => MaybePromise<Result>,
  seconds: number,
  name: string,
): (event: MvcEvent, ...args: Args) => MaybePromise<Result> {
  if (seconds === 0) return act;
  return (event, ...args) => {
    const result = act(event, ...args);
    return isThenable(result) ? limitTime(event, result, seconds, name) : result;
  };
}

/**
 * Continues as `andThen` does, unless the request has timed out: then returns the late value as it is, to be discarded.
 * A view model of a problem is returned as it is, too: it is the response.
 *
 * @throws Problem if the value is one
 */
export function thenUnlessTimedOut<T>(
  event: MvcEvent,
  value: MaybePromise<T>,
  next: (value: T) => unknown,
): MaybePromise<unknown> {
  return isThenable(value)
    ? Promise.resolve(value).then((resolved) =>
        event.timedOut === true ? resolved : unlessProblem(resolved, next),
      )
    : unlessProblem(value, next);
}

function unlessProblem<T>(value: T, next: (value: T) => unknown): unknown {
  return value instanceof ViewModel && value.content instanceof Problem ? value : next(throwIfProblem(value));
}

/** Returns a value. @throws Problem if the value is one */
export function throwIfProblem<T>(value: T): T {
  if (value instanceof Problem) throw value;
  return value;
}

/**
 * Limits the time of a result.
 * @param seconds 0 for no limit
 * @throws Problem 503 after the timeout; a late result is discarded
 */
export function limitTime<Result>(
  event: MvcEvent,
  result: PromiseLike<Result>,
  seconds: number,
  name: string,
): Promise<Result> {
  if (seconds === 0) return Promise.resolve(result);
  return new Promise((resolve, reject) => {
    let reportLate: ((error: unknown) => void) | undefined;
    const timer = setTimeout(() => {
      const timedOut = timedOutProblem(seconds, name);
      reportLate = abortTimedOut(event, timedOut, name);
      reject(timedOut);
    }, seconds * 1_000);
    result.then(
      (value) => {
        clearTimeout(timer);
        if (reportLate === undefined) resolve(value);
        else discard(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        if (reportLate === undefined) reject(toProblem(error));
        else reportLate(error);
      },
    );
  });
}

/** Aborts a timed-out request. @returns a function that logs its later errors */
function abortTimedOut(event: MvcEvent, timedOut: Problem, operation: string): (error: unknown) => void {
  let isReported = false;
  const report = (err: unknown): void => {
    // Aborted code rejects with the abort reason, or with an AbortError.
    if (isReported || err === timedOut || isAbortError(err)) return;
    isReported = true;
    event.log.warn({ module: 'hosting', err, operation }, 'An operation failed after it had timed out.');
  };
  event.timedOut = true;
  // Without this listener, a handler that writes to the ended response would crash the process.
  event.outgoing.on('error', report);
  event.abortController ??= new AbortController();
  event.abortController.abort(timedOut);
  return report;
}

function timedOutProblem(seconds: number, name: string): Problem {
  return problem(
    'timed_out',
    { seconds },
    {
      fields: [['Retry-After', String(Math.ceil(seconds))]],
      cause: new Error(`${name} did not respond within ${seconds} s.`),
    },
  );
}
