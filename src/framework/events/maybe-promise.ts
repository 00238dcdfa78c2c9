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
