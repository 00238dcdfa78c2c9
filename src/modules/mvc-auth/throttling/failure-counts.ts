import type * as Limiters from 'rate-limiter-flexible';
import { createRequire } from 'node:module';
import { lazily } from '../../../framework';

const load = createRequire(__filename);

/** Needed when somebody fails. */
const limiters = lazily(() => load('rate-limiter-flexible') as typeof Limiters);

/** How often something has failed lately. */
export interface Failures {
  readonly count: number;
  /** Seconds until they are forgotten, at least 1. */
  readonly seconds: number;
}

const NOTHING: Failures = Object.freeze({ count: 0, seconds: 1 });

/**
 * The failures of a deployment, each key's counted over a window that begins with its first one. It outlives
 * applications, so that a change of configuration is no amnesty. When there is no more room, the keys that
 * failed first, which end first, are forgotten.
 */
export class FailureCounts {
  // What counts as too many is the throttle's business: settings change, counts stay.
  readonly #limiter = lazily(
    () => new (limiters().RateLimiterMemory)({ keyPrefix: '', points: 1, duration: 1 }),
  );
  /** Keys with failures, by the end of their window, in the order in which they first failed. */
  readonly #ends = new Map<string, number>();
  readonly #limit: number;
  #version = 0;

  /** @param limit keys to remember */
  constructor(limit = 100_000) {
    this.#limit = Math.max(1, limit);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#ends.size;
  }

  /** Another after every failure: who has waited for counts sees whether they still hold. */
  get version(): number {
    return this.#version;
  }

  /** Whether nothing at all has failed lately, as is usual: then no key need be made to ask for. */
  get isEmpty(): boolean {
    if (this.#ends.size === 0) return true;
    const now = Date.now();
    for (const [key, end] of this.#ends) {
      if (end > now) return false;
      this.#ends.delete(key);
    }
    return true;
  }

  /** Whether there may be failures: costs no promise. */
  has(key: string): boolean {
    const end = this.#ends.get(key);
    if (end === undefined) return false;
    if (end > Date.now()) return true;
    this.#ends.delete(key);
    return false;
  }

  async of(key: string): Promise<Failures> {
    const found = this.has(key) ? await this.#limiter().get(key) : null;
    if (found === null || found.msBeforeNext <= 0) return NOTHING;
    return { count: found.consumedPoints, seconds: Math.ceil(found.msBeforeNext / 1000) };
  }

  /** Counts a failure, before it returns. @param window seconds that a first failure is remembered for */
  add(key: string, window: number): void {
    if (!this.has(key)) {
      this.#makeRoom();
      this.#ends.set(key, Date.now() + window * 1000);
    }
    this.#version++;
    void this.#limiter().penalty(key, 1, { customDuration: window });
  }

  forget(key: string): void {
    if (this.#ends.delete(key)) void this.#limiter().delete(key);
  }

  #makeRoom(): void {
    for (const key of this.#ends.keys()) {
      if (this.#ends.size < this.#limit) return;
      this.forget(key);
    }
  }
}
