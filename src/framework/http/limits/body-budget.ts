import type { ServerResponse } from 'node:http';
import { problem } from '../../problem/errors';

/** Bytes of request bodies that are in memory now. It outlives a change of configuration: requests do, too. */
export class BodyMemory {
  used = 0;
}

/** How many bytes of request bodies may be in memory at the same time. */
export class BodyBudget {
  readonly #memory: BodyMemory;
  readonly #limit: number;

  /** @param limit in bytes; Infinity for none */
  constructor(limit = Infinity, memory = new BodyMemory()) {
    this.#limit = limit;
    this.#memory = memory;
  }

  /** What a request takes of it, until its answer is complete or its client gone. */
  reservationFor(outgoing: ServerResponse): BodyReservation {
    const reservation = new BodyReservation(this.#memory, this.#limit);
    if (outgoing.closed) reservation.release();
    else outgoing.once('close', () => reservation.release());
    return reservation;
  }
}

/** What the body of one request takes of a budget. */
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
   * Counts bytes that are to be kept. A request that has the budget to itself may exceed it: otherwise one that is
   * larger could never be read, however large a body its service takes.
   * @throws Problem 503
   */
  add(bytes: number): void {
    if (this.#isReleased) return;
    const others = this.#memory.used - this.#reserved;
    if (others > 0 && this.#memory.used + bytes > this.#limit)
      throw problem('body_memory_exhausted', {}, { fields: [['Retry-After', '1']] });
    this.#reserved += bytes;
    this.#memory.used += bytes;
  }

  /** Gives everything back, once and for all. */
  release(): void {
    this.#isReleased = true;
    this.#memory.used -= this.#reserved;
    this.#reserved = 0;
  }
}
