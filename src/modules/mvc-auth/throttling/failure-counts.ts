import { CountPeers, steadyNow } from '../../../framework';

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
  /** By key, oldest first. */
  readonly #windows = new Map<string, FailureWindow>();
  readonly #limit: number;
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

  /** @param window in seconds as configured now, which may be shorter than when they were counted */
  of(key: string, window: number): Failures {
    const counted = this.#counted(key, window);
    if (counted === undefined) return NOTHING;
    const left = endOf(counted, window) - steadyNow();
    return { count: counted.count, seconds: Math.max(1, Math.ceil(left / 1000)) };
  }

  /** @returns undefined after the window, which is forgotten then */
  #counted(key: string, window: number): FailureWindow | undefined {
    const counted = this.#windows.get(key);
    if (counted === undefined || endOf(counted, window) > steadyNow()) return counted;
    this.#windows.delete(key);
    return undefined;
  }

  /** Counts a failure. @param window in seconds, from a first failure */
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
    if (window === undefined) this.#windows.delete(key);
    else if ('count' in change) this.#raise(key, window, change);
    else this.#add(key, window);
  }

  forget(key: string): void {
    if (this.#windows.delete(key)) this.peers.tell({ key, window: undefined });
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
    const known = this.#counted(key, window);
    if (known !== undefined) {
      known.count = count(known.count);
      return;
    }
    this.#evict();
    const begins = steadyNow() - age;
    this.#windows.set(key, { begins, ends: begins + window * 1000, count: count(0) });
  }

  #evict(): void {
    for (const key of this.#windows.keys()) {
      if (this.#windows.size < this.#limit) return;
      this.#windows.delete(key);
    }
  }
}

/** @param window as configured now */
function endOf({ begins, ends }: FailureWindow, window: number): number {
  return Math.min(begins + window * 1000, ends);
}
