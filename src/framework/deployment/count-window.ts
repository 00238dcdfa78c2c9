/** How far a nonce count may lag behind the highest one. */
export const WINDOW = 256;

const WORD = 32;

/**
 * The used counts of one nonce: the highest, and a bitmap of the 256 up to it. Parallel requests arrive in any order:
 * each count is accepted once, and counts older than the window never.
 */
export class CountWindow {
  #highest = 0;
  readonly #seen = new Uint32Array(WINDOW / WORD);

  /** Marks a count (1 to 2^32 - 1) as used. Returns false if it was used before or is older than the window. */
  take(count: number): boolean {
    if (count <= this.#highest - WINDOW) return false;
    if (count > this.#highest) this.#advance(count);
    const index = (count % WINDOW) >>> 5;
    const bit = 1 << (count % WORD);
    const word = this.#seen[index] ?? 0;
    if ((word & bit) !== 0) return false;
    this.#seen[index] = word | bit;
    return true;
  }

  #advance(count: number): void {
    if (count - this.#highest >= WINDOW) {
      this.#seen.fill(0);
    } else {
      for (let next = this.#highest + 1; next <= count; next++) {
        const index = (next % WINDOW) >>> 5;
        this.#seen[index] = (this.#seen[index] ?? 0) & ~(1 << (next % WORD));
      }
    }
    this.#highest = count;
  }
}
