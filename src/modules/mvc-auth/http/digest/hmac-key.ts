import { hash } from 'node:crypto';

const BLOCK = 64;
const DIGEST = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/**
 * A key of HMAC-SHA-256 (RFC 2104, 2) for messages of one length. Two calls of `hash` take half the time of
 * `createHmac`; on Node.js 24, a twentieth.
 */
export class HmacKey {
  /** The inner padded key, and a place for the message. */
  readonly #inner: Buffer;
  /** The outer padded key, and a place for the inner digest. */
  readonly #outer: Buffer;

  /** @param length of messages, in bytes */
  constructor(key: Buffer, length: number) {
    const block = Buffer.alloc(BLOCK);
    (key.length > BLOCK ? hash('sha256', key, 'buffer') : key).copy(block);
    this.#inner = Buffer.concat([block.map((byte) => byte ^ INNER_PAD)], BLOCK + length);
    this.#outer = Buffer.concat([block.map((byte) => byte ^ OUTER_PAD)], BLOCK + DIGEST);
  }

  /**
   * @param message in hexadecimal, of exactly the length that was passed to the constructor
   * @returns the HMAC in lower-case hexadecimal
   */
  sign(message: string): string {
    this.#inner.write(message, BLOCK, 'hex');
    this.#outer.write(hash('sha256', this.#inner, 'hex'), BLOCK, 'hex');
    return hash('sha256', this.#outer, 'hex');
  }
}
