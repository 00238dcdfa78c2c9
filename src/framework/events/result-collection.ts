/** What the listeners of one trigger returned, in the order in which they ran. */
export class ResultCollection implements Iterable<unknown> {
  readonly #results: unknown[] = [];
  #stopped = false;

  /** The first listener's result; undefined when there was none. */
  get first(): unknown {
    return this.#results[0];
  }

  /** The last result: the answer, where a listener cut the others short. */
  get last(): unknown {
    return this.#results[this.#results.length - 1];
  }

  get length(): number {
    return this.#results.length;
  }

  /** Whether a listener, or the predicate of `triggerUntil`, kept later listeners from running. */
  get stopped(): boolean {
    return this.#stopped;
  }

  contains(value: unknown): boolean {
    return this.#results.includes(value);
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#results[Symbol.iterator]();
  }

  /** The event manager's call. */
  add(result: unknown): void {
    this.#results.push(result);
  }

  /** The event manager's call. */
  stop(): void {
    this.#stopped = true;
  }
}
