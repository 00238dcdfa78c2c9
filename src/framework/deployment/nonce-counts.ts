import { CountWindow } from './count-window';
import type { ClaimResult, NonceCounter } from './deployment-state';

/** Extends the window instead of holding it, which saves an object per nonce. */
class Counter extends CountWindow implements NonceCounter {
  readonly expiresAt: number;
  #isDropped = false;

  constructor(expiresAt: number) {
    super();
    this.expiresAt = expiresAt;
  }

  claim(count: number): ClaimResult {
    if (this.#isDropped) return 'stale';
    return this.take(count) ? 'accepted' : 'used';
  }

  /** Refuses all further counts. */
  drop(): void {
    this.#isDropped = true;
  }
}

/** The counter of nonces that were evicted. */
const DROPPED: NonceCounter = { claim: () => 'stale' };

/**
 * Nonce counts in process memory (RFC 7616, 3.4 `nc`): a sliding window of 256 counts per verified nonce. It outlives
 * the adapters, which are rebuilt when the configuration changes.
 *
 * When it is full, the nonces that expire first are evicted, and every unknown nonce that expires no later than they
 * did is refused from then on: its client gets `stale` and retries, and no count is accepted twice.
 */
export class NonceCounts {
  readonly #counters = new Map<string, Counter>();
  readonly #limit: number;
  readonly #clock: () => number;
  #floor = -Infinity;
  #nextSweep = 0;

  /** @param options `limit` of nonces, defaults to 100 000; `clock`: milliseconds since the epoch */
  constructor(options: { readonly limit?: number; readonly clock?: () => number } = {}) {
    this.#limit = Math.max(1, options.limit ?? 100_000);
    this.#clock = options.clock ?? Date.now;
  }

  /** The number of nonces. */
  get size(): number {
    return this.#counters.size;
  }

  /** @param expiresAt milliseconds since the epoch */
  counterFor(nonce: string, expiresAt: number): NonceCounter {
    this.#removeExpired();
    const known = this.#counters.get(nonce);
    if (known !== undefined) return known;
    if (expiresAt <= this.#floor) return DROPPED;
    if (this.#counters.size >= this.#limit) this.#evict();
    const counter = new Counter(expiresAt);
    this.#counters.set(nonce, counter);
    return counter;
  }

  #removeExpired(): void {
    const now = this.#clock();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + 10_000;
    for (const [nonce, counter] of this.#counters) {
      if (counter.expiresAt <= now) this.#drop(nonce, counter);
    }
  }

  #evict(): void {
    const byEnd = [...this.#counters].sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
    for (const [nonce, counter] of byEnd.slice(0, Math.ceil(this.#limit / 4))) this.#drop(nonce, counter);
  }

  #drop(nonce: string, counter: Counter): void {
    counter.drop();
    this.#counters.delete(nonce);
    this.#floor = Math.max(this.#floor, counter.expiresAt);
  }
}
