/**
 * State that survives configuration reloads, which build a new application: keys, counters, sessions, logs. The server
 * passes it to each application.
 */
export class SharedState {
  readonly #values = new Map<unknown, unknown>();

  /**
   * Returns the single value of a class, and creates it on first use.
   * @example sharedState.getOrCreate(NonceCounts, () => new NonceCounts())
   */
  getOrCreate<T>(key: abstract new (...args: never[]) => T, make: () => T): T {
    if (!this.#values.has(key)) this.#values.set(key, make());
    // Values are only created by `make` of the same key.
    return this.#values.get(key) as T;
  }

  /** Returns the value of a class, if it exists. */
  find<T>(key: abstract new (...args: never[]) => T): T | undefined {
    return this.#values.get(key) as T | undefined;
  }
}
