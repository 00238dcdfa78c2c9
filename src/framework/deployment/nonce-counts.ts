import { CountWindow } from './count-window';
import type { ClaimResult, IssuedNonce, NonceCounter } from './deployment-state';

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

/** The nonces of one lifetime. */
interface Lifetime {
  readonly counters: Map<string, Counter>;
  /** The latest end of those that were removed. */
  floor: number;
}

/**
 * Nonce counts in process memory (RFC 7616, 3.4 `nc`): a sliding window of 256 counts per verified nonce. It outlives
 * the adapters, which are rebuilt when the configuration changes.
 *
 * When it is full, those that expire first are evicted of the lifetime with most nonces, and every unknown nonce of this
 * lifetime that expires no later than they did is refused from then on: its client gets `stale` and retries, and no
 * count is accepted twice. New nonces expire later than older ones of their lifetime, but not than those of a longer one.
 */
export class NonceCounts {
  readonly #lifetimes = new Map<number, Lifetime>();
  readonly #limit: number;
  readonly #clock: () => number;
  #size = 0;
  #nextSweep = 0;

  /** @param options `limit` of nonces, defaults to 100 000; `clock`: milliseconds since the epoch */
  constructor(options: { readonly limit?: number; readonly clock?: () => number } = {}) {
    this.#limit = Math.max(1, options.limit ?? 100_000);
    this.#clock = options.clock ?? Date.now;
  }

  /** The number of nonces. */
  get size(): number {
    return this.#size;
  }

  counterFor({ nonce, expiresAt, lifetime }: Omit<IssuedNonce, 'generation'>): NonceCounter {
    this.#removeExpired();
    const issued = this.#of(lifetime);
    const known = issued.counters.get(nonce);
    if (known !== undefined) return known;
    if (expiresAt <= issued.floor) return DROPPED;
    if (this.#size >= this.#limit) this.#evict();
    const counter = new Counter(expiresAt);
    issued.counters.set(nonce, counter);
    this.#size++;
    return counter;
  }

  #of(lifetime: number): Lifetime {
    const known = this.#lifetimes.get(lifetime);
    if (known !== undefined) return known;
    const created = { counters: new Map<string, Counter>(), floor: -Infinity };
    this.#lifetimes.set(lifetime, created);
    return created;
  }

  #removeExpired(): void {
    const now = this.#clock();
    if (now < this.#nextSweep) return;
    this.#nextSweep = now + 10_000;
    for (const issued of this.#lifetimes.values())
      for (const [nonce, counter] of issued.counters)
        if (counter.expiresAt <= now) this.#drop(issued, nonce, counter);
  }

  #evict(): void {
    const [most] = [...this.#lifetimes.values()].sort((a, b) => b.counters.size - a.counters.size);
    if (most === undefined) return;
    const byEnd = [...most.counters].sort(([, a], [, b]) => a.expiresAt - b.expiresAt);
    for (const [nonce, counter] of byEnd.slice(0, Math.ceil(byEnd.length / 4)))
      this.#drop(most, nonce, counter);
  }

  #drop(issued: Lifetime, nonce: string, counter: Counter): void {
    counter.drop();
    issued.counters.delete(nonce);
    this.#size--;
    issued.floor = Math.max(issued.floor, counter.expiresAt);
  }
}
