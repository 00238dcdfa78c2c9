/** Listeners that keep the promise, each with whether it does at present. */
const promised = new WeakMap<object, () => boolean>();

/**
 * Says of a listener of a request that it does the same for every request that is the same: of requests for an
 * endpoint whose answers are repeatable, it looks at nothing but method, target and the fields `Accept`,
 * `Accept-Encoding` and `If-None-Match`, and at who asks only by `Authorization`, `Cookie` and `Origin`. Where all listeners
 * do so, an answer may be given again without them (`mvc/kept-answers.ts`).
 *
 * @param isSo asked now and then; for a listener that depends on others
 * @returns the listener
 * @example
 * events.attach('response', repeatable(({ response }) => response.fields.set('X-Frame-Options', 'DENY')), 100);
 */
export function repeatable<Listener extends object>(listener: Listener, isSo = always): Listener {
  promised.set(listener, isSo);
  return listener;
}

export function isRepeatable(listener: object): boolean {
  return promised.get(listener)?.() === true;
}

function always(): boolean {
  return true;
}
