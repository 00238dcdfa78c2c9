import type { BodyReservation } from './body-budget';

/** Bytes that are set aside at least when a second part has come. */
const MIN_CAPACITY = 1_024;

/**
 * A body as it comes. Most come in one part, which is kept as it is. Others are copied into one buffer that grows by
 * doubling: a list of parts of one byte each would take a hundred times as much as is counted.
 */
export class BodyBuffer {
  readonly #reservation: BodyReservation;
  readonly #announced: number;
  #bytes: Buffer | undefined;
  #length = 0;

  /** @param announced bytes that the client says are to come; 0 where it does not say */
  constructor(reservation: BodyReservation, announced: number) {
    this.#reservation = reservation;
    this.#announced = announced;
  }

  get length(): number {
    return this.#length;
  }

  /** @throws Problem 503 where there is no room left for it */
  add(part: Buffer): void {
    const length = this.#length + part.length;
    if (this.#bytes === undefined) {
      this.#reservation.add(part.length);
      this.#bytes = part;
    } else {
      const target = length > this.#bytes.length ? this.#grow(this.#bytes, length) : this.#bytes;
      part.copy(target, this.#length);
      this.#bytes = target;
    }
    this.#length = length;
  }

  /** The body as a whole. */
  toBuffer(): Buffer {
    return this.#bytes?.subarray(0, this.#length) ?? Buffer.alloc(0);
  }

  /** Doubles, but not beyond what was announced: memory follows what has come, not what a client says. */
  #grow(bytes: Buffer, needed: number): Buffer {
    const doubled = Math.max(2 * bytes.length, MIN_CAPACITY);
    const isKnown = this.#announced >= needed;
    const capacity = Math.max(needed, isKnown ? Math.min(doubled, this.#announced) : doubled);
    this.#reservation.add(capacity - bytes.length);
    const grown = Buffer.allocUnsafeSlow(capacity);
    bytes.copy(grown, 0, 0, this.#length);
    return grown;
  }
}
