import { steadyNow } from '../../../framework';
import type { KeyRateLimit, StoredKey } from './stored-key';

interface Window {
  /** Milliseconds. */
  readonly endsAt: number;
  count: number;
}

/** Counts the requests of keys that have a rate limit, in fixed windows, for this process. */
export class KeyRateLimits {
  readonly #windows = new Map<string, Window>();
  readonly #clock: () => number;

  /** @param clock milliseconds */
  constructor(clock: () => number = steadyNow) {
    this.#clock = clock;
  }

  /** Counts a request. @returns the seconds after which the key may be used again; 0 if it may be used now */
  take({ id, rate_limit: limit }: Pick<StoredKey, 'id' | 'rate_limit'>): number {
    if (limit === undefined) return 0;
    const now = this.#clock();
    const current = this.#windows.get(id);
    if (current === undefined || current.endsAt <= now) {
      this.#windows.set(id, { endsAt: now + limit.window * 1000, count: 1 });
      return 0;
    }
    if (current.count >= limit.limit) return Math.max(1, Math.ceil((current.endsAt - now) / 1000));
    current.count++;
    return 0;
  }

  /** Drops the windows of keys that no longer exist. */
  retain(exists: (id: string) => boolean): void {
    for (const id of this.#windows.keys()) if (!exists(id)) this.#windows.delete(id);
  }
}

/** @example '100 requests in 60 seconds for this key' */
export function describeKeyLimit(limit: KeyRateLimit | undefined): string {
  const { limit: requests = 0, window = 0 } = limit ?? {};
  const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return `${plural(requests, 'request')} in ${plural(window, 'second')} for this key`;
}
