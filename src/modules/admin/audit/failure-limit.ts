import { addressKey, type Configuration } from '../../../framework';
import { type FailureCounts, MVC_AUTH_KEY, mvcAuthSettings } from '../../mvc-auth';
import type { AuditEntry } from './audit-entry';

/** What to do with an entry: the last one says that further ones are omitted. */
type Recording = 'recorded' | 'last' | 'omitted';

/**
 * Limits the entries about failures that sign-in throttling does not count, and that any client can cause: they would fill
 * the disk. For an address and an error code, to the failures that throttling allows an address.
 */
export class FailureLimit {
  readonly #counts: FailureCounts;
  readonly #limit: number;
  /** In seconds. */
  readonly #window: number;

  /** @param counts those of earlier applications */
  constructor(counts: FailureCounts, configuration: Configuration) {
    const { throttling } = configuration.section(MVC_AUTH_KEY, mvcAuthSettings);
    this.#counts = counts;
    this.#limit = throttling.per_address;
    this.#window = throttling.window;
  }

  /** Counts a failure. */
  count({ actor: { address = '' }, code = '' }: Pick<AuditEntry, 'actor' | 'code'>): Recording {
    const key = `${addressKey(address)}\0${code}`;
    const { count } = this.#counts.of(key, this.#window);
    if (count >= this.#limit) return 'omitted';
    this.#counts.add(key, this.#window);
    return count + 1 === this.#limit ? 'last' : 'recorded';
  }
}
