/**
 * What must outlive an application, because a change of configuration builds a new one beside the old: keys,
 * counters, sessions, logs. It belongs to the server, which hands it to each application.
 */
export class SharedState {
  readonly #values = new Map<unknown, unknown>();

  /**
   * The one value of a class, made when it is first asked for.
   * @example sharedState.getOrCreate(NonceCounts, () => new NonceCounts())
   */
  getOrCreate<T>(key: abstract new (...args: never[]) => T, make: () => T): T {
    if (!this.#values.has(key)) this.#values.set(key, make());
    // Only `make` of the same key has put it there.
    return this.#values.get(key) as T;
  }

  /** What was kept of a class; undefined when nothing was. */
  find<T>(key: abstract new (...args: never[]) => T): T | undefined {
    return this.#values.get(key) as T | undefined;
  }
}
