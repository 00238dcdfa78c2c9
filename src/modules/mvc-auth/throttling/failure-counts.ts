import type * as Limiters from 'rate-limiter-flexible';
import { CountPeers, lazily, steadyNow } from '../../../framework';

const load = require;

/** Loaded at the first failure. */
const limiters = lazily(() => load('rate-limiter-flexible') as typeof Limiters);

export interface Failures {
  readonly count: number;
  /** Seconds until they expire, at least 1. */
  readonly seconds: number;
}

/** A change of the failures of a key: one more, none, or all that another process knows of. */
export type FailureChange =
  | {
      readonly key: string;
      /** In seconds, from a first failure; undefined if all failures are forgotten. */
      readonly window: number | undefined;
    }
  | {
      readonly key: string;
      readonly window: number;
      readonly count: number;
      /** Milliseconds since the first failure. */
      readonly age: number;
    };

const NOTHING: Failures = Object.freeze({ count: 0, seconds: 1 });

/** From the first failure of a key to its expiry, by `steadyNow`. */
interface FailureWindow {
  readonly begins: number;
  readonly ends: number;
  /** How many there are. */
  count: number;
}

/**
 * Counts the failures of a deployment by key, over a window that begins with the first failure. It outlives reloads of
 * the configuration. When it is full, the oldest windows are removed.
 */
export class FailureCounts {
  // The throttle compares counts with its settings, which may change while counts stay: the limiter's are unused.
  readonly #limiter = lazily(
    () => new (limiters().RateLimiterMemory)({ keyPrefix: '', points: 1, duration: 1 }),
  );
  /** By key, oldest first. */
  readonly #windows = new Map<string, FailureWindow>();
  readonly #limit: number;
  #version = 0;
  /** Others that count, too. */
  readonly peers = new CountPeers<FailureChange>((change) => this.#merge(change));

  /** @param limit of keys */
  constructor(limit = 100_000) {
    this.#limit = Math.max(1, limit);
  }

  /** The number of keys. */
  get size(): number {
    return this.#windows.size;
  }

  /** Changes with every failure, to detect that counts changed while they were read. */
  get version(): number {
    return this.#version;
  }

  /** Whether there are no failures, as is usual: saves computing keys. */
  get isEmpty(): boolean {
    if (this.#windows.size === 0) return true;
    const now = steadyNow();
    for (const [key, { ends }] of this.#windows) {
      if (ends > now) return false;
      this.#windows.delete(key);
    }
    return true;
  }

  /**
   * Whether there may be failures; synchronous, unlike {@link of}.
   * @param window in seconds as configured now, which may be shorter than when they were counted
   */
  has(key: string, window: number): boolean {
    return this.#millisecondsLeft(key, window) > 0;
  }

  /** @param window as in {@link has}, the maximum of `seconds` */
  async of(key: string, window: number): Promise<Failures> {
    const left = this.#millisecondsLeft(key, window);
    // The limiter computes when they expire by the clock of the system, which may be set.
    const found = left > 0 ? await this.#limiter().get(key) : null;
    if (found === null) return NOTHING;
    return { count: found.consumedPoints, seconds: Math.ceil(left / 1000) };
  }

  #millisecondsLeft(key: string, window: number): number {
    const counted = this.#windows.get(key);
    if (counted === undefined) return 0;
    const now = steadyNow();
    const left = Math.min(counted.begins + window * 1000, counted.ends) - now;
    if (left <= 0) this.#forget(key);
    return left;
  }

  /** Counts a failure synchronously. @param window in seconds, from a first failure */
  add(key: string, window: number): void {
    this.#add(key, window);
    this.peers.tell({ key, window });
  }

  /** All failures, for a process that starts to count. */
  *all(): Generator<FailureChange> {
    const now = steadyNow();
    for (const [key, { begins, ends, count }] of this.#windows)
      if (ends > now) yield { key, window: (ends - begins) / 1000, count, age: now - begins };
  }

  #merge(change: FailureChange): void {
    const { key, window } = change;
    if (window === undefined) this.#forget(key);
    else if ('count' in change) this.#raise(key, window, change);
    else this.#add(key, window);
  }

  forget(key: string): void {
    if (!this.#windows.has(key)) return;
    this.#forget(key);
    this.peers.tell({ key, window: undefined });
  }

  #add(key: string, window: number): void {
    this.#count(key, window, { age: 0, count: (failures) => failures + 1 });
  }

  /** Raises the failures to those of another process that knows more. */
  #raise(
    key: string,
    window: number,
    { age, count }: { readonly age: number; readonly count: number },
  ): void {
    if (age < window * 1000)
      this.#count(key, window, { age, count: (failures) => Math.max(failures, count) });
  }

  /** @param change `age` of the first failure, if there is none yet, and the new `count` */
  #count(
    key: string,
    window: number,
    { age, count }: { readonly age: number; readonly count: (failures: number) => number },
  ): void {
    if (!this.has(key, window)) {
      this.#evict();
      const begins = steadyNow() - age;
      this.#windows.set(key, { begins, ends: begins + window * 1000, count: 0 });
    }
    const counted = this.#windows.get(key);
    if (counted === undefined) return;
    const added = count(counted.count) - counted.count;
    counted.count += added;
    this.#version++;
    // It returns promises, but counts at once.
    if (added > 0) void this.#limiter().penalty(key, added, { customDuration: window });
  }

  #forget(key: string): void {
    if (this.#windows.delete(key)) void this.#limiter().delete(key);
  }

  #evict(): void {
    for (const key of this.#windows.keys()) {
      if (this.#windows.size < this.#limit) return;
      this.#forget(key);
    }
  }
}
