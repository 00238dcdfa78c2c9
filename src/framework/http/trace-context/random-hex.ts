import { randomFillSync } from 'node:crypto';

/** Reading random bytes costs the same for 16 bytes as for some thousands. */
const POOL_BYTES = 4_096;

/** Generates random lower-case hexadecimal ids. */
export class RandomHex {
  readonly #pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  #next = POOL_BYTES;

  /** @param bytes at most 4,096 @returns two digits for each byte, not all of them zero */
  next(bytes: number): string {
    if (this.#next + bytes > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#next = 0;
    }
    const start = this.#next;
    this.#next += bytes;
    const id = this.#pool.toString('hex', start, this.#next);
    // Ids of zeros are invalid (W3C Trace Context, 3.2.2.3).
    return /[^0]/.test(id) ? id : this.next(bytes);
  }
}
