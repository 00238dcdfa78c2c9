import { addressKey, type Configuration } from '../../../framework';
import { type FailureCounts, MVC_AUTH_KEY, mvcAuthSettings } from '../../mvc-auth';
import type { AuditActor } from './audit-entry';

/** What to do with an entry: the last one says that further ones are omitted. */
type Recording = 'recorded' | 'last' | 'omitted';

/**
 * Limits the entries about failures that any client can cause without a password, which would fill the disk: for an
 * address and an administrator, to the failures that sign-in throttling allows an address.
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
  count({ address = '', name }: AuditActor): Recording {
    const key = `${addressKey(address)}\0${name ?? ''}`;
    const { count } = this.#counts.of(key, this.#window);
    if (count >= this.#limit) return 'omitted';
    this.#counts.add(key, this.#window);
    return count + 1 === this.#limit ? 'last' : 'recorded';
  }
}
