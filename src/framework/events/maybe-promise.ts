/** A value now, or a promise of it: what a listener or handler may return. */
export type MaybePromise<T> = T | PromiseLike<T>;

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Goes on with `next` at once when `value` is there, and later when it is promised:
 * a pipeline of synchronous parts never pays for a promise.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return isThenable(value) ? value.then(next) : next(value);
}
