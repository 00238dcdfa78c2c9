import { randomFillSync } from 'node:crypto';

/** Reading random bytes, and writing them in hexadecimal, costs little more for a thousand than for 16. */
const POOL_BYTES = 1_024;

/** Generates random lower-case hexadecimal ids. */
export class RandomHex {
  readonly #pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  #digits = '';
  #next = 0;

  /** @param bytes at most 1,024 @returns two digits for each byte, not all of them zero */
  next(bytes: number): string {
    const start = this.#next;
    this.#next += 2 * bytes;
    if (this.#next > this.#digits.length) return this.#nextOfNewPool(bytes);
    const id = this.#digits.slice(start, this.#next);
    // Ids of zeros are invalid (W3C Trace Context, 3.2.2.3).
    return id.startsWith('0') && !/[^0]/.test(id) ? this.next(bytes) : id;
  }

  #nextOfNewPool(bytes: number): string {
    this.#digits = randomFillSync(this.#pool).toString('hex');
    this.#next = 0;
    return this.next(bytes);
  }
}
