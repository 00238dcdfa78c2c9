import type { BitmapClaim } from './claim-batches';

/** Counts in one bitmap. */
const CHUNK = 256;

/**
 * Where the counts of a nonce are in Redis. The texts that each count of a nonce needs are created once: Redis' driver
 * measures and copies every argument, and new ones are kept alive with the commands until the next full collection.
 */
export class NonceBits {
  readonly #prefix: string;
  readonly #expiresAt: string;
  #chunk = -1;
  #key = '';

  /**
   * @param prefix begins the names of the bitmaps, and is that of no other nonce
   * @param expiresAt milliseconds since the epoch
   */
  constructor(prefix: string, expiresAt: number) {
    this.#prefix = prefix;
    this.#expiresAt = String(Math.ceil(expiresAt));
  }

  /** @param count 1 to 2^32 - 1 */
  of(count: number): BitmapClaim {
    const chunk = Math.floor(count / CHUNK);
    if (chunk !== this.#chunk) {
      this.#chunk = chunk;
      this.#key = `${this.#prefix}:${chunk}`;
    }
    return { key: this.#key, bit: count % CHUNK, expiresAt: this.#expiresAt };
  }
}
