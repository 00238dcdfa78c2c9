import { addressKey, type Configuration } from '../../../framework';
import { type FailureCounts, MVC_AUTH_KEY, mvcAuthSettings } from '../../mvc-auth';
import type { AuditEntry } from './audit-entry';

/** What to do with an entry: the last one says that further ones are omitted. */
type Recording = 'recorded' | 'last' | 'omitted';

/**
 * Limits the entries about failures that any client can cause, and that sign-in throttling does not: they would fill the
 * disk. For an address and an error code, to the failures that throttling allows an address.
 */
export class FailureLimit {
  readonly #counts: FailureCounts;
  readonly #limit: number;
  /** In seconds. */
  readonly #window: number;
  readonly #isThrottling: boolean;

  /** @param counts those of earlier applications */
  constructor(counts: FailureCounts, configuration: Configuration) {
    const { throttling } = configuration.section(MVC_AUTH_KEY, mvcAuthSettings);
    this.#counts = counts;
    this.#limit = throttling.per_address;
    this.#window = throttling.window;
    this.#isThrottling = throttling.enabled;
  }

  /** Counts a failure. @param isVerified whether throttling counts it, if it is enabled; counted apart from others otherwise */
  count(
    { actor: { address = '' }, code = '' }: Pick<AuditEntry, 'actor' | 'code'>,
    isVerified: boolean,
  ): Recording {
    if (isVerified && this.#isThrottling) return 'recorded';
    const key = `${addressKey(address)}\0${code}\0${isVerified}`;
    const { count } = this.#counts.of(key, this.#window);
    if (count >= this.#limit) return 'omitted';
    this.#counts.add(key, this.#window);
    return count + 1 === this.#limit ? 'last' : 'recorded';
  }
}
