import type { MaybePromise } from '../events/maybe-promise';
import { describeValue } from '../text/describe-value';
import type { MvcEvent } from './mvc-event';

/** Handles a request around the kernel: calls `handle` once, and returns its result. */
export type RequestWrapper = (event: MvcEvent, handle: () => MaybePromise<void>) => MaybePromise<void>;

type Handle = (event: MvcEvent) => MaybePromise<void>;

/** The wrappers of an application. Without any, a request pays for reading one field. */
export class RequestWrappers {
  readonly #kernel: Handle;
  readonly #wrappers = new Set<RequestWrapper>();
  /** The wrapped kernel, or the kernel itself. */
  handle: Handle;

  constructor(kernel: Handle) {
    this.#kernel = kernel;
    this.handle = kernel;
  }

  /**
   * Adds the innermost wrapper.
   * @returns a function that removes it; requests in flight keep it
   * @throws TypeError for what is not a function: every request would fail
   */
  add(wrapper: RequestWrapper): () => void {
    if (typeof wrapper !== 'function')
      throw new TypeError(`wrapRequests(wrapper) needs a function, not ${describeValue(wrapper)}.`);
    const own: RequestWrapper = (event, handle) => wrapper(event, handle);
    this.#wrappers.add(own);
    this.#compile();
    return () => {
      this.#wrappers.delete(own);
      this.#compile();
    };
  }

  #compile(): void {
    this.handle = [...this.#wrappers].reduceRight<Handle>(
      (handle, wrapper) => (event) => wrapper(event, () => handle(event)),
      this.#kernel,
    );
  }
}
