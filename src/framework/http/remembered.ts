/** Longer texts are looked at each time: they are hardly ever the same. */
const LONGEST = 512;

/**
 * What was made of texts that come again and again, such as the fields of clients. The memory is bounded: who sends
 * ever new texts only makes it forget.
 *
 * @example
 * const types = new Remembered(parseMediaType);
 * types.of('application/json'); // parsed
 * types.of('application/json'); // remembered
 */
export class Remembered<T> {
  readonly #make: (text: string) => T;
  readonly #most: number;
  readonly #known = new Map<string, T>();

  /**
   * @param make always makes the same of the same text, and nothing that changes afterwards
   * @param most how many texts are remembered
   */
  constructor(make: (text: string) => T, most = 256) {
    this.#make = make;
    this.#most = most;
  }

  /** @throws what making it throws, each time */
  of(text: string): T {
    const known = this.#known.get(text);
    if (known !== undefined || this.#known.has(text)) return known as T;
    const made = this.#make(text);
    if (text.length > LONGEST) return made;
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(text, made);
    return made;
  }
}
