import { AsyncLocalStorage } from 'node:async_hooks';
import type { MvcEvent } from './mvc-event';

/** Process-wide by nature: it follows the calls of a thread. */
const requests = new AsyncLocalStorage<MvcEvent>();

/** Returns the request that the calling code runs for; undefined unless something records requests. */
export function currentRequest(): MvcEvent | undefined {
  return requests.getStore();
}

/**
 * Handles a request so that `currentRequest` returns it. A wrapper for `application.wrapRequests`: it costs time of every
 * request while it is added.
 */
export function asCurrentRequest<Result>(event: MvcEvent, handle: () => Result): Result {
  return requests.getStore() === event ? handle() : requests.run(event, handle);
}
