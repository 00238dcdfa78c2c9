/** Longer texts are looked at each time: they are hardly ever the same. */
const MAX_LENGTH = 512;

/**
 * What was made of texts that come again and again, such as the fields of clients. The memory is bounded: who sends
 * ever new texts only makes it forget.
 *
 * @example
 * const types = new Remembered(parseMediaType);
 * types.of('application/json'); // parsed
 * types.of('application/json'); // remembered
 */
export class BoundedCache<T> {
  readonly #make: (text: string) => T;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, T>();

  /**
   * @param make always makes the same of the same text, and nothing that changes afterwards
   * @param most how many texts are remembered
   */
  constructor(make: (text: string) => T, most = 256) {
    this.#make = make;
    this.#maxEntries = most;
  }

  /** @throws what making it throws, each time */
  get(text: string): T {
    const known = this.#entries.get(text);
    if (known !== undefined || this.#entries.has(text)) return known as T;
    const made = this.#make(text);
    if (text.length > MAX_LENGTH) return made;
    if (this.#entries.size >= this.#maxEntries) this.#entries.clear();
    this.#entries.set(text, made);
    return made;
  }
}
