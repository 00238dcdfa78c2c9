import { steadyNow } from '../../../framework';
import { CredentialCache } from '../credential-cache';
import { detachString } from '../http/detach-string';

/** Credentials that were verified. */
interface Verified {
  readonly username: string;
  /** The stored hash that they were compared with. */
  readonly stored: string;
}

/** Caches verified credentials for a short time, so that not every request pays for a slow hash. */
export class VerifiedCredentials extends CredentialCache<Verified> {
  readonly #lifetime: number;
  readonly #now: () => number;

  /** @param options `lifetime` in milliseconds, defaults to 60 000; `limit` of entries, defaults to 1000 */
  constructor({
    lifetime = 60_000,
    limit = 1000,
    clock = steadyNow,
  }: { readonly lifetime?: number; readonly limit?: number; readonly clock?: () => number } = {}) {
    super(clock, limit);
    this.#lifetime = lifetime;
    this.#now = clock;
  }

  remember(key: string, { username, stored }: Verified): void {
    // A substring would keep the whole decoded field with the password in memory.
    this.add(key, { username: detachString(username), stored }, this.#now() + this.#lifetime);
  }
}
