/**
 * What must outlive an application, because a change of configuration builds a new one beside the old: keys,
 * counters, sessions, logs. It belongs to the server, which hands it to each application.
 */
export class Lasting {
  readonly #kept = new Map<unknown, unknown>();

  /**
   * The one value of a class, made when it is first asked for.
   * @example lasting.keep(NonceCounts, () => new NonceCounts())
   */
  keep<T>(key: abstract new (...args: never[]) => T, make: () => T): T {
    if (!this.#kept.has(key)) this.#kept.set(key, make());
    // Only `make` of the same key has put it there.
    return this.#kept.get(key) as T;
  }

  /** What was kept of a class; undefined when nothing was. */
  find<T>(key: abstract new (...args: never[]) => T): T | undefined {
    return this.#kept.get(key) as T | undefined;
  }
}
