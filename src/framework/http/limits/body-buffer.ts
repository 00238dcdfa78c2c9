import type { BodyReservation } from './body-budget';

/** The minimum capacity in bytes from the second chunk on. */
const MIN_CAPACITY = 1_024;

/**
 * Buffers the chunks of a body. A single chunk is kept without a copy; further ones are copied into one buffer that
 * grows by doubling. A list of one-byte chunks would take a hundred times the memory that is accounted for.
 */
export class BodyBuffer {
  readonly #reservation: Pick<BodyReservation, 'add'>;
  readonly #declaredLength: number;
  #bytes: Buffer | undefined;
  #length = 0;

  /** @param declaredLength `Content-Length` in bytes, or 0 */
  constructor(reservation: Pick<BodyReservation, 'add'>, declaredLength: number) {
    this.#reservation = reservation;
    this.#declaredLength = declaredLength;
  }

  get length(): number {
    return this.#length;
  }

  /** @throws Problem 503 when the memory budget for bodies is exhausted */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#bytes === undefined) {
      this.#reservation.add(chunk.length);
      this.#bytes = chunk;
    } else {
      const target = length > this.#bytes.length ? this.#grow(this.#bytes, length) : this.#bytes;
      chunk.copy(target, this.#length);
      this.#bytes = target;
    }
    this.#length = length;
  }

  /** Returns the whole body. */
  toBuffer(): Buffer {
    return this.#bytes?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  /**
   * Doubles the capacity, up to the declared length. Memory grows with the bytes received, not with
   * `Content-Length`.
   */
  #grow(bytes: Buffer, needed: number): Buffer {
    const doubled = Math.max(2 * bytes.length, MIN_CAPACITY);
    const isDeclared = this.#declaredLength >= needed;
    const capacity = Math.max(needed, isDeclared ? Math.min(doubled, this.#declaredLength) : doubled);
    this.#reservation.add(capacity - bytes.length);
    const grown = Buffer.allocUnsafeSlow(capacity);
    bytes.copy(grown, 0, 0, this.#length);
    return grown;
  }
}
