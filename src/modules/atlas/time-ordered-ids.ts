import { randomBytes } from 'node:crypto';

/** Numbers within a millisecond have 12 bits. */
const MAX_SEQUENCE = 0xfff;

/**
 * Issues UUIDs that sort in the order in which they were issued: version 7, with a counter for those of the same
 * millisecond (RFC 9562, 5.7 and 6.2, method 1).
 */
export class TimeOrderedIds {
  readonly #now: () => number;
  #time = 0;
  #sequence = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  next(): string {
    const now = this.#now();
    if (now > this.#time) {
      this.#time = now;
      this.#sequence = 0;
    } else if (++this.#sequence > MAX_SEQUENCE) {
      // Borrowed from the future; the clock may also have been set back.
      this.#time++;
      this.#sequence = 0;
    }
    const bytes = randomBytes(16);
    bytes.writeUIntBE(this.#time, 0, 6);
    bytes.writeUInt16BE(0x7000 | this.#sequence, 6);
    // The variant 10.
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}
