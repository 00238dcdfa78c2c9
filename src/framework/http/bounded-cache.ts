/** Longer keys are not cached: they hardly ever repeat. */
const MAX_KEY_LENGTH = 512;

/**
 * Caches values computed from strings that repeat, such as header field values. Memory is bounded: when it is full,
 * the cache is cleared.
 *
 * @example
 * const types = new BoundedCache(parseMediaType);
 * types.get('application/json'); // computed
 * types.get('application/json'); // cached
 */
export class BoundedCache<T> {
  readonly #compute: (key: string) => T;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, T>();

  /**
   * @param compute a pure function with an immutable result
   * @param maxEntries number of cached keys
   */
  constructor(compute: (key: string) => T, maxEntries = 256) {
    this.#compute = compute;
    this.#maxEntries = maxEntries;
  }

  /** @throws the error of `compute`, each time */
  get(key: string): T {
    const cached = this.#entries.get(key);
    if (cached !== undefined || this.#entries.has(key)) return cached as T;
    const value = this.#compute(key);
    if (key.length > MAX_KEY_LENGTH) return value;
    if (this.#entries.size >= this.#maxEntries) this.#entries.clear();
    this.#entries.set(key, value);
    return value;
  }
}
