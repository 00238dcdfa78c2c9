import { copyOf } from '../../text-copy';
import { CountWindow } from './count-window';

/** Where the counts of one nonce are claimed. */
export interface NonceCounter {
  /**
   * Claims a count, atomically: of any number of claims of one count exactly one is told `true`. To be called only
   * after the digest was verified.
   *
   * @param nc 1 to 2^32 - 1
   */
  claim(nc: number): boolean | Promise<boolean>;
}

/** Where nonce counts are claimed; one for a whole deployment. */
export interface NonceClaims {
  /**
   * The counter of a nonce, which is kept for the next requests. To be called only for one that a right digest has
   * used, so that strangers take up no room.
   *
   * @param expiresAt when the nonce ends, in milliseconds since the epoch
   */
  counterOf(nonce: string, expiresAt: number): NonceCounter;
}

/** The window itself: what is one object is read at once. */
class Counter extends CountWindow implements NonceCounter {
  readonly expiresAt: number;
  #isDropped = false;

  constructor(expiresAt: number) {
    super();
    this.expiresAt = expiresAt;
  }

  claim(nc: number): boolean {
    return !this.#isDropped && this.take(nc);
  }

  /** Takes no count any more. */
  drop(): void {
    this.#isDropped = true;
  }
}

/** Of nonces that were dropped before. */
const DROPPED: NonceCounter = { claim: () => false };

/**
 * Nonce counts in the memory of one process (RFC 7616, 3.4 `nc`): a sliding window of 256 counts for each nonce
 * that a right digest has used. It outlives the adapters, which a change of configuration builds anew.
 *
 * When there is no more room, the nonces that end first are dropped, and from then on every unknown nonce that
 * ends no later than they did is refused: its client is told `stale` and tries again, and nothing passes twice.
 */
export class NonceCounts implements NonceClaims {
  readonly #counters = new Map<string, Counter>();
  readonly #limit: number;
  readonly #clock: () => number;
  #floor = -Infinity;
  #nextSweep = 0;

  /** @param options `limit`: nonces to remember, 100 000 by default; `clock`: milliseconds since the epoch */
  constructor(options: { readonly limit?: number; readonly clock?: () => number } = {}) {
    this.#limit = Math.max(1, options.limit ?? 100_000);
    this.#clock = options.clock ?? Date.now;
  }

  /** How many nonces are remembered. */
  get size(): number {
    return this.#counters.size;
  }

  counterOf(nonce: string, expiresAt: number): NonceCounter {
    this.#forgetExpired();
    const known = this.#counters.get(nonce);
    if (known !== undefined) return known;
    if (expiresAt <= this.#floor) return DROPPED;
    if (this.#counters.size >= this.#limit) this.#makeRoom();
    const counter = new Counter(expiresAt);
    this.#counters.set(copyOf(nonce), counter);
    return counter;
  }

  #forgetExpired(): void {
    const now = this.#clock();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + 10_000;
    for (const [nonce, counter] of this.#counters) {
      if (counter.expiresAt <= now) this.#drop(nonce, counter);
    }
  }

  #makeRoom(): void {
    const byEnd = [...this.#counters].sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
    for (const [nonce, counter] of byEnd.slice(0, Math.ceil(this.#limit / 4))) this.#drop(nonce, counter);
  }

  #drop(nonce: string, counter: Counter): void {
    counter.drop();
    this.#counters.delete(nonce);
    this.#floor = Math.max(this.#floor, counter.expiresAt);
  }
}
