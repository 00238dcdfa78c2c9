import { Readable } from 'node:stream';
import { isThenable, problem, Response, toProblem, type MaybePromise, type MvcEvent } from '../../framework';

/** Seconds that an operation may take, unless told. */
export const DEFAULT_TIMEOUT = 30;

declare module '../../framework' {
  interface MvcEvent {
    /** Stops what works on the request: the client has left, or it took too long. */
    stop?: AbortController;
  }
}

/** Aborted when the client leaves, or the operation's time is over. */
export function signalOf(event: MvcEvent): AbortSignal {
  if (event.stop === undefined) {
    const stop = new AbortController();
    event.stop = stop;
    const { signal } = event.request;
    if (signal.aborted) stop.abort(signal.reason);
    else signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true });
  }
  return event.stop.signal;
}

/**
 * A function of a request that must come to an end. One that answers at once costs nothing more.
 *
 * @param seconds 0 for no limit
 * @param name of the operation, for the log
 */
export function timed<Args extends readonly unknown[], Result>(
  act: (event: MvcEvent, ...args: Args) => MaybePromise<Result>,
  seconds: number,
  name: string,
): (event: MvcEvent, ...args: Args) => MaybePromise<Result> {
  if (seconds === 0) return act;
  return (event, ...args) => {
    const result = act(event, ...args);
    return isThenable(result) ? inTime(event, result, seconds, name) : result;
  };
}

/** @throws Problem 503 when it takes longer; what comes later is put away */
function inTime<Result>(
  event: MvcEvent,
  result: PromiseLike<Result>,
  seconds: number,
  name: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      const over = timedOut(seconds, name);
      event.stop ??= new AbortController();
      event.stop.abort(over);
      reject(over);
    }, seconds * 1_000);
    result.then(
      (value) => {
        clearTimeout(timer);
        if (late) discard(value);
        else resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // When it is too late, nobody waits for it any more.
        reject(toProblem(error));
      },
    );
  });
}

function timedOut(seconds: number, name: string): Error {
  return problem(
    'timed_out',
    { seconds },
    {
      fields: [['Retry-After', String(Math.ceil(seconds))]],
      cause: new Error(`${name} did not answer within ${seconds} s.`),
    },
  );
}

/** A stream that nobody reads would keep open what it reads from. */
function discard(value: unknown): void {
  const stream = value instanceof Response ? value.body : value;
  if (stream instanceof Readable) stream.destroy();
}
