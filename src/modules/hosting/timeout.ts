import {
  discard,
  isThenable,
  problem,
  Problem,
  toProblem,
  type MaybePromise,
  type MvcEvent,
} from '../../framework';

/** Seconds that an operation may take, unless told. */
export const DEFAULT_TIMEOUT = 30;

declare module '../../framework' {
  interface MvcEvent {
    /** Stops what works on the request: the client has left, or it took too long. */
    stop?: AbortController;
    /** Whether its time is over: it was answered for, and what comes now is too late. */
    isOver?: boolean;
  }
}

/** Aborted when the client leaves, or the operation's time is over. */
export function signalOf(event: MvcEvent): AbortSignal {
  if (event.stop === undefined) {
    const stop = new AbortController();
    event.stop = stop;
    const { signal } = event.request;
    if (signal.aborted) stop.abort(signal.reason);
    else signal.addEventListener('abort', () => leave(event, stop), { once: true });
  }
  return event.stop.signal;
}

/** A client leaves when its connection says so, which is nobody's time: those who listen are told as the request's own. */
function leave({ within, request }: MvcEvent, stop: AbortController): void {
  const abort = (): void => stop.abort(request.signal.reason);
  if (within === undefined) abort();
  else within(abort);
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

/**
 * Goes on as `andThen` does, unless the time is over by then: what comes late changes neither the answer nor what is
 * stored. It is returned as it came, to be put away.
 *
 * @throws Problem one that was returned, as if it had been thrown
 */
export function inTimeThen<T>(
  event: MvcEvent,
  value: MaybePromise<T>,
  next: (value: T) => unknown,
): MaybePromise<unknown> {
  return isThenable(value)
    ? Promise.resolve(value).then((there) => (event.isOver === true ? there : next(unlessProblem(there))))
    : next(unlessProblem(value));
}

function unlessProblem<T>(value: T): T {
  if (value instanceof Problem) throw value;
  return value;
}

/** @throws Problem 503 when it takes longer; what comes later is put away */
function inTime<Result>(
  event: MvcEvent,
  result: PromiseLike<Result>,
  seconds: number,
  name: string,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let tellLate: ((error: unknown) => void) | undefined;
    const timer = setTimeout(() => {
      const over = timedOut(seconds, name);
      tellLate = end(event, over, name);
      reject(over);
    }, seconds * 1_000);
    result.then(
      (value) => {
        clearTimeout(timer);
        if (tellLate === undefined) resolve(value);
        else discard(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        if (tellLate === undefined) reject(toProblem(error));
        else tellLate(error);
      },
    );
  });
}

/** Stops what is still at work on a request that is answered for. @returns what is told of its later failures */
function end(event: MvcEvent, over: Problem, operation: string): (error: unknown) => void {
  let isTold = false;
  const tell = (err: unknown): void => {
    if (isTold || isAbortion(err, over)) return;
    isTold = true;
    event.log.warn({ err, operation }, 'An operation failed after its time, when it was answered for.');
  };
  event.isOver = true;
  // Whoever writes past the end of an answer by hand would end the process.
  event.outgoing.on('error', tell);
  event.stop ??= new AbortController();
  event.stop.abort(over);
  return tell;
}

/** What was told to stop says so by the reason it was given, or by an AbortError. */
function isAbortion(error: unknown, over: Problem): boolean {
  return (
    error === over ||
    (typeof error === 'object' && error !== null && Reflect.get(error, 'name') === 'AbortError')
  );
}

function timedOut(seconds: number, name: string): Problem {
  return problem(
    'timed_out',
    { seconds },
    {
      fields: [['Retry-After', String(Math.ceil(seconds))]],
      cause: new Error(`${name} did not answer within ${seconds} s.`),
    },
  );
}
