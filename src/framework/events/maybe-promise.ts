/** A value now, or a promise of it: what a listener or handler may return. */
export type MaybePromise<T> = T | PromiseLike<T>;

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  // One look at the member: asking first whether it is there costs twice as much, at every step of a request.
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

/**
 * Goes on with `next` at once when `value` is there, and later when it is promised:
 * a pipeline of synchronous parts never pays for a promise.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  // A thenable may be no promise, whose `then` returns nothing; a promise is taken as it is.
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}
