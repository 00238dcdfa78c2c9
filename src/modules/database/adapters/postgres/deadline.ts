import { performance } from 'node:perf_hooks';
import type { ExecutionLimits } from '../database-adapter';
import { cancelled, DatabaseError } from '../database-error';

/** Milliseconds after the time limit that the server has to report it itself. */
const GRACE_MS = 200;

/** Milliseconds between two checks of what waits: most statements end sooner, and need neither timer nor signal. */
const INTERVAL_MS = 25;

/** A step that is not over yet. */
interface Waiting {
  readonly deadline: Deadline;
  /** The error after the deadline. */
  readonly late: () => DatabaseError;
  /** Ends it with an error. */
  readonly fail: (error: DatabaseError) => void;
  /** Whether an earlier check has found it waiting. */
  isSeen: boolean;
  /** Whether an earlier check has found it waiting after its deadline. */
  isLate: boolean;
  /** Set by the second check. */
  onAbort: (() => void) | undefined;
  /** The position among all that wait; -1 after the step. */
  at: number;
}

/**
 * Not a Set: V8 links the tables that it outgrows, so that those of the old generation would keep what waited then,
 * whole requests, until the next full garbage collection.
 */
const waiting: Waiting[] = [];
let timer: NodeJS.Timeout | undefined;

function add(one: Waiting): void {
  one.at = waiting.push(one) - 1;
  timer ??= setInterval(checkWaiting, INTERVAL_MS);
}

function remove(one: Waiting): void {
  const last = waiting.at(-1);
  if (one.at === -1 || last === undefined) return;
  waiting[one.at] = last;
  last.at = one.at;
  waiting.pop();
  one.at = -1;
  if (one.onAbort !== undefined) one.deadline.signal?.removeEventListener('abort', one.onAbort);
}

function statementExceeded(): DatabaseError {
  return new DatabaseError('timeout', 'The statement exceeded its time limit.');
}

function checkWaiting(): void {
  if (waiting.length === 0) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  const now = performance.now();
  // A copy: those that fail are removed.
  for (const one of [...waiting]) {
    if (now > one.deadline.end) {
      if (one.isLate) one.fail(one.late());
      // If the process was busy meanwhile, the result may have arrived: it is read before the next check.
      one.isLate = true;
    }
    // One that has just begun may be as short as most.
    else if (!one.isSeen) one.isSeen = true;
    else if (one.onAbort === undefined) watchSignal(one);
  }
}

/** Ends a step when its signal aborts. */
function watchSignal(one: Waiting): void {
  const { signal } = one.deadline;
  if (signal === undefined) return;
  if (signal.aborted) {
    one.fail(cancelled());
    return;
  }
  one.onAbort = () => one.fail(cancelled());
  signal.addEventListener('abort', one.onAbort);
}

/** When an execution began, and what ends it. */
export class Deadline {
  readonly #limits: ExecutionLimits;
  readonly end: number;

  /** @param timeout in milliseconds */
  constructor(limits: ExecutionLimits, timeout: number) {
    this.#limits = limits;
    this.end = performance.now() + timeout + GRACE_MS;
  }

  /** Requests create their signal when it is read for the first time, which takes longer than a short statement. */
  get signal(): AbortSignal | undefined {
    return this.#limits.signal;
  }

  /**
   * Waits for a step of an execution, at most until the deadline.
   *
   * @param interrupt called if the step is not over then
   * @param late the error after the deadline
   * @throws the error of the step; DatabaseError if it is not over
   */
  wait<T>(step: Promise<T>, interrupt: () => void, late = statementExceeded): Promise<T> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        deadline: this,
        late,
        fail: (error) => {
          remove(one);
          interrupt();
          reject(error);
        },
        isSeen: false,
        isLate: false,
        onAbort: undefined,
        at: -1,
      };
      add(one);
      step.then(
        (value) => {
          remove(one);
          resolve(value);
        },
        () => {
          remove(one);
          // Rejects as the step did.
          resolve(step);
        },
      );
    });
  }
}
