import { toError } from '../errors/error-message';
import type { Steps } from '../values/steps';
import { isThenable, type MaybePromise } from './maybe-promise';

/** Milliseconds of each event loop turn for cooperative work. */
const TIME_SLICE_MS = 3;

/** The same while other events are handled: a new connection needs two or three turns until its request is. */
const SHORT_SLICE_MS = 1;

/** Milliseconds between two slices in which other events were handled: a turn without any takes a few hundredths. */
const HANDLED_MS = 0.1;

/** What other events take for each millisecond of a slice: under load, the work has a share of the time, not of the turns. */
const OTHERS_PER_SLICE = 3;

type Progress<Result> =
  { readonly done: true; readonly value: Result } | { readonly done: false; value?: never };

/** Shares one time slice of each event loop turn among all cooperative work. */
class CooperativeScheduler {
  /** When the time slice of the current turn ends; undefined before its first step. */
  #sliceEnd: number | undefined;
  /** When the queue was last left: until it runs, other events are handled. */
  #queueLeft = 0;
  readonly #queue: (() => void)[] = [];
  #isScheduled = false;

  /** Runs at least one step, and further ones while the slice lasts. */
  runSlice<Result>(steps: Steps<Result>): Progress<Result> {
    this.#isSliceOver();
    do {
      const next = steps.next();
      if (next.done === true) return { done: true, value: next.value };
    } while (!this.#isSliceOver());
    return { done: false };
  }

  /** Runs a task in a later turn, first come, first served. */
  enqueue(task: () => void): void {
    this.#queue.push(task);
    if (!this.#isScheduled) this.#schedule();
  }

  #schedule(): void {
    this.#isScheduled = true;
    this.#queueLeft = performance.now();
    setImmediate(() => this.#runQueue());
  }

  #runQueue(): void {
    const now = performance.now();
    this.#beginSlice(now + sliceAfter(now - this.#queueLeft));
    do this.#queue.shift()?.();
    while (this.#queue.length > 0 && !this.#isSliceOver());
    this.#isScheduled = false;
    if (this.#queue.length > 0) this.#schedule();
  }

  /** The first call of a turn begins the slice. */
  #isSliceOver(): boolean {
    const now = performance.now();
    if (this.#sliceEnd !== undefined) return now >= this.#sliceEnd;
    this.#beginSlice(now + TIME_SLICE_MS);
    return false;
  }

  #beginSlice(end: number): void {
    this.#sliceEnd = end;
    setImmediate(() => (this.#sliceEnd = undefined));
  }
}

/** Returns the milliseconds of a slice. @param others what other events took since the last one */
function sliceAfter(others: number): number {
  if (others <= HANDLED_MS) return TIME_SLICE_MS;
  return Math.min(TIME_SLICE_MS, Math.max(SHORT_SLICE_MS, others / OTHERS_PER_SLICE));
}

/** Process-wide by nature: a thread has one event loop, whose time is shared. */
const scheduler = new CooperativeScheduler();

/** Runs the time slices of large work, after the first. */
let runSlice = <Result>(slice: () => Result): Result => slice();

/** Lets a process run the time slices of large work in its own way, after the first slice of each. */
export function wrapSlices(wrapper: <Result>(slice: () => Result) => Result): void {
  runSlice = wrapper;
}

/**
 * Runs work in steps, and lets the process handle other events in between, so that large work does not block
 * requests. All cooperative work shares one time slice per event loop turn: ten large documents delay other requests
 * no longer than one.
 *
 * @param isWanted called before each further turn; if it returns false, the work is abandoned, and its promise never
 *   settles
 * @returns the result of small work, otherwise a promise, which rejects with the error of a step
 * @throws the error of a step, for small work
 * @example
 * await runCooperatively(function* () { for (const one of many) { add(one); yield; } }());
 */
export function runCooperatively<Result>(
  steps: Steps<Result>,
  isWanted: () => boolean = always,
): MaybePromise<Result> {
  const { done, value } = scheduler.runSlice(steps);
  if (done) return value;
  return new Promise((resolve, reject) => {
    const continueWork = (): void => {
      if (!isWanted()) {
        abandon(steps);
        return;
      }
      try {
        const next = runSlice(() => scheduler.runSlice(steps));
        if (next.done) resolve(next.value);
        else scheduler.enqueue(continueWork);
      } catch (error) {
        reject(toError(error));
      }
    };
    scheduler.enqueue(continueWork);
  });
}

function always(): boolean {
  return true;
}

/** Runs the `finally` blocks of the work. */
function abandon(steps: Steps<unknown>): void {
  try {
    steps.throw(new Error('The work was abandoned.'));
  } catch {
    // Expected.
  }
}

/**
 * Pauses an async function between steps if the time slice of the turn is used up, and continues it in a later turn.
 *
 * @example
 * for (const one of many) { add(one); await pauseIfDue(); }
 */
export function pauseIfDue(): MaybePromise<void> {
  return runCooperatively(oneStep());
}

function* oneStep(): Steps<void> {
  yield;
}

/**
 * Memoizes cooperative work: all callers share one run, and a call after a failure starts again.
 *
 * @example
 * const index = runCooperativelyOnce(() => buildIndex()); // index() returns a promise at first, then the index itself
 */
export function runCooperativelyOnce<Result>(begin: () => Steps<Result>): () => MaybePromise<Result> {
  let memo: MaybePromise<Result> | undefined;
  return () => {
    if (memo !== undefined) return memo;
    const running = runCooperatively(begin());
    memo = running;
    if (isThenable(running)) {
      running.then(
        (result) => (memo = result),
        () => (memo = undefined),
      );
    }
    return running;
  };
}
