import type { ServerResponse } from 'node:http';
import { problem } from '../../problem/errors';

/** The bytes of request bodies in memory. Survives configuration reloads, as requests do. */
export class BodyMemory {
  used = 0;
}

/** Limits the bytes of request bodies that are in memory at the same time. */
export class BodyBudget {
  readonly #memory: BodyMemory;
  readonly #limit: number;

  /** @param limit in bytes; Infinity for no limit */
  constructor(limit = Infinity, memory = new BodyMemory()) {
    this.#limit = limit;
    this.#memory = memory;
  }

  /** Returns a reservation that is released when the response is complete or the client disconnects. */
  reservationFor(outgoing: ServerResponse): BodyReservation {
    const reservation = new BodyReservation(this.#memory, this.#limit);
    if (outgoing.closed) reservation.release();
    else outgoing.once('close', () => reservation.release());
    return reservation;
  }
}

/** The share of one request in the budget. */
export class BodyReservation {
  readonly #memory: BodyMemory;
  readonly #limit: number;
  #reserved = 0;
  #isReleased = false;

  constructor(memory: BodyMemory, limit: number) {
    this.#memory = memory;
    this.#limit = limit;
  }

  /**
   * Reserves memory for bytes. A request that is alone may exceed the budget: otherwise a body larger than the budget
   * could never be read, even if its service allows it.
   * @throws Problem 503 if the budget is exhausted
   */
  add(bytes: number): void {
    if (this.#isReleased) return;
    const others = this.#memory.used - this.#reserved;
    if (others > 0 && this.#memory.used + bytes > this.#limit)
      throw problem('body_memory_exhausted', {}, { fields: [['Retry-After', '1']] });
    this.#reserved += bytes;
    this.#memory.used += bytes;
  }

  /** Releases the reservation; later calls of `add` have no effect. */
  release(): void {
    this.#isReleased = true;
    this.#memory.used -= this.#reserved;
    this.#reserved = 0;
  }
}
