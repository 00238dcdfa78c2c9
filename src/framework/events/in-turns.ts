import { isThenable, type MaybePromise } from './maybe-promise';

/** Work in steps, with a result at its end. What it yields between them is of no interest. */
export type Steps<Result> = Generator<unknown, Result, void>;

/** Milliseconds of the event loop's time that are worked for before others have their turn. */
const SPELL = 10;

/** When the present turn of the event loop began to be worked in; undefined where it was not yet. */
let began: number | undefined;

/** What goes on when it is its turn, in the order of asking. */
const waiting: (() => void)[] = [];
let isQueued = false;

/**
 * Works until it is done, and lets everything else that the process has to do have its turn in between: whoever
 * makes something large in steps keeps nobody waiting. All that is worked on this way shares the time, so that ten
 * large documents hold up others no longer than one.
 *
 * @param isWanted asked before each further turn: where nobody wants the result any more, the work ends there, and its
 * promise never settles
 * @returns the result at once where the work is small, and a promise otherwise, which rejects with what a step throws
 * @throws what a step throws, where the work is small
 * @example
 * await inTurns(function* () { for (const one of many) { add(one); yield; } }());
 */
export function inTurns<Result>(
  steps: Steps<Result>,
  isWanted: () => boolean = always,
): MaybePromise<Result> {
  const { done, value } = workOn(steps);
  if (done) return value;
  return new Promise((resolve, reject) => {
    const goOn = (): void => {
      if (!isWanted()) {
        abandon(steps);
        return;
      }
      try {
        const next = workOn(steps);
        if (next.done) resolve(next.value);
        else queue(goOn);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error), { cause: error }));
      }
    };
    queue(goOn);
  });
}

function always(): boolean {
  return true;
}

/** Lets the work put its things away. */
function abandon(steps: Steps<unknown>): void {
  try {
    steps.throw(new Error('Nobody wants the result of this work any more.'));
  } catch {
    // That it ends is what was asked for.
  }
}

/** Works without a pause. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/**
 * Gives the same work to all who ask for it before it is done; whoever asks after a failure begins anew.
 *
 * @example
 * const index = onceInTurns(() => makeIndex()); // index() is a promise at first, and the index from then on
 */
export function onceInTurns<Result>(begin: () => Steps<Result>): () => MaybePromise<Result> {
  let made: MaybePromise<Result> | undefined;
  return () => {
    if (made !== undefined) return made;
    const making = inTurns(begin());
    made = making;
    if (isThenable(making)) {
      making.then(
        (result) => (made = result),
        () => (made = undefined),
      );
    }
    return making;
  };
}

type Progress<Result> =
  { readonly done: true; readonly value: Result } | { readonly done: false; value?: never };

/** A step at least; further ones while there is time. */
function workOn<Result>(steps: Steps<Result>): Progress<Result> {
  isSpellOver();
  do {
    const next = steps.next();
    if (next.done === true) return { done: true, value: next.value };
  } while (!isSpellOver());
  return { done: false };
}

/** Whether enough was worked in this turn of the event loop; the first to ask begins it. */
function isSpellOver(): boolean {
  const now = performance.now();
  if (began !== undefined) return now - began >= SPELL;
  began = now;
  setImmediate(() => (began = undefined));
  return false;
}

function queue(goOn: () => void): void {
  waiting.push(goOn);
  if (isQueued) return;
  isQueued = true;
  setImmediate(workOff);
}

/** One that waits goes on; further ones while there is time. */
function workOff(): void {
  do waiting.shift()?.();
  while (waiting.length > 0 && !isSpellOver());
  isQueued = waiting.length > 0;
  if (isQueued) setImmediate(workOff);
}
