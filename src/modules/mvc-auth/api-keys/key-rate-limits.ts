import { pluralize } from '../../../framework';
import type { RateLimitState } from '../throttling/usage/rate-limit-state';
import type { KeyRateLimit, StoredKey } from './stored-key';

/**
 * Counts the requests of keys that have a rate limit, in sliding windows. The processes of a deployment share their
 * counts, as those of other rate limits.
 */
export class KeyRateLimits {
  readonly #state: RateLimitState;

  constructor(state: RateLimitState) {
    this.#state = state;
  }

  /** Counts a request. @returns the seconds after which the key may be used again; 0 if it may be used now */
  take({ id, rate_limit: limit }: Pick<StoredKey, 'id' | 'rate_limit'>): number {
    if (limit === undefined) return 0;
    const name = `API keys per ${limit.window} s`;
    const usage = this.#state.usageOf(name, limit.window);
    const wait = usage.msUntil(id, 1, limit.limit);
    if (wait > 0) {
      this.#state.countRefusal(name);
      return Math.max(1, Math.ceil(wait / 1_000));
    }
    usage.add(id, 1);
    return 0;
  }
}

/** @example '100 requests in 60 seconds for this key' */
export function describeKeyLimit(limit: KeyRateLimit | undefined): string {
  const { limit: requests = 0, window = 0 } = limit ?? {};
  return `${pluralize(requests, 'request')} in ${pluralize(window, 'second')} for this key`;
}
