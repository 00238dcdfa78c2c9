/** Work in steps, with a result at its end. The yielded values are ignored. */
export type Steps<Result> = Generator<unknown, Result, void>;

/**
 * Runs work without a pause.
 *
 * @example
 * runSync(parseInSteps(text)); // what the last step returns
 */
export function runSync<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
