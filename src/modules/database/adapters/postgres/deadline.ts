import { performance } from 'node:perf_hooks';
import type { ExecutionLimits } from '../database-adapter';
import { DatabaseError } from '../database-error';

/** Milliseconds after the time limit that the server has to report it itself. */
const GRACE_MS = 200;

/** Milliseconds between two looks at what waits: most statements end sooner, and need neither timer nor signal. */
const INTERVAL_MS = 25;

/** A step that is not over yet. */
interface Waiting {
  readonly deadline: Deadline;
  /** Ends it with an error. */
  readonly fail: (message: string) => void;
  /** Set with the first look. */
  onAbort: (() => void) | undefined;
}

const waiting = new Set<Waiting>();
let timer: NodeJS.Timeout | undefined;

function add(one: Waiting): void {
  waiting.add(one);
  timer ??= setInterval(look, INTERVAL_MS);
}

function remove(one: Waiting): void {
  waiting.delete(one);
  if (one.onAbort !== undefined) one.deadline.signal?.removeEventListener('abort', one.onAbort);
}

function look(): void {
  if (waiting.size === 0) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  const now = performance.now();
  for (const one of waiting) {
    const { signal, end } = one.deadline;
    if (signal?.aborted) one.fail(CANCELLED);
    else if (now > end) one.fail('The statement exceeded its time limit.');
    else if (one.onAbort === undefined && signal !== undefined) {
      one.onAbort = () => one.fail(CANCELLED);
      signal.addEventListener('abort', one.onAbort);
    }
  }
}

const CANCELLED = 'The statement was cancelled.';

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
   * @throws the error of the step; DatabaseError if it is not over
   */
  wait<T>(step: Promise<T>, interrupt: () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        deadline: this,
        fail: (message) => {
          remove(one);
          interrupt();
          reject(new DatabaseError('timeout', message));
        },
        onAbort: undefined,
      };
      add(one);
      step.then(resolve, reject).finally(() => remove(one));
    });
  }
}
