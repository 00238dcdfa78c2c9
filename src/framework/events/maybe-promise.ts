/** A value or a promise of it, as listeners and handlers may return. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** Whether a value is a promise, or has a `then` as promises have. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  // A single property read: an additional `in` check doubles the cost, at every step of a request.
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

/**
 * Calls `next` synchronously with a value, and asynchronously with a promised one: a synchronous pipeline creates no
 * promise.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  // The `then` of a thenable that is not a promise may return nothing.
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Calls a function with each value in turn: synchronously until it returns a promise, which the next call waits for. */
export function mapInTurn<T, R>(
  values: readonly T[],
  call: (value: T) => MaybePromise<R>,
): MaybePromise<readonly R[]> {
  const results: R[] = [];
  const remaining = values[Symbol.iterator]();
  const proceed = (): MaybePromise<readonly R[]> => {
    for (const value of remaining) {
      const result = call(value);
      if (isThenable(result))
        return Promise.resolve(result).then((resolved) => {
          results.push(resolved);
          return proceed();
        });
      results.push(result);
    }
    return results;
  };
  return proceed();
}

/** Runs an action; what `recover` returns replaces an error that it throws or rejects with. */
export function recoverFrom<T>(
  run: () => MaybePromise<T>,
  recover: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const result = run();
    return isThenable(result) ? Promise.resolve(result).catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
