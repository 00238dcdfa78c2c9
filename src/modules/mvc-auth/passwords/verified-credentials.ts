import { hash, randomBytes } from 'node:crypto';
import { steadyNow } from '../../../framework';
import { detachString } from '../http/detach-string';

/** Credentials that were verified. */
interface Verified {
  readonly username: string;
  /** The stored hash that they were compared with. */
  readonly stored: string;
}

interface Entry extends Verified {
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Caches verified credentials for a short time, so that not every request pays for a slow hash. The key is a keyed hash
 * of the field that carried them, and its key never leaves the object: nothing here allows guessing a password.
 */
export class VerifiedCredentials {
  readonly #key = randomBytes(32).toString('base64');
  readonly #entries = new Map<string, Entry>();
  readonly #lifetime: number;
  readonly #limit: number;
  readonly #clock: () => number;

  /** @param options `lifetime` in milliseconds, defaults to 60 000; `limit` of entries, defaults to 1000 */
  constructor(
    options: { readonly lifetime?: number; readonly limit?: number; readonly clock?: () => number } = {},
  ) {
    this.#lifetime = options.lifetime ?? 60_000;
    this.#limit = options.limit ?? 1000;
    this.#clock = options.clock ?? steadyNow;
  }

  /**
   * Derives the cache key of a field. A prefixed key is enough: HMAC also resists length extension, which needs the
   * hash, and nobody sees it; this costs a quarter.
   */
  keyOf(field: string): string {
    return hash('sha256', this.#key + field, 'base64');
  }

  get(key: string): Verified | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt > this.#clock()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  add(key: string, { username, stored }: Verified): void {
    this.#entries.delete(key);
    // A substring would keep the whole decoded field with the password in memory.
    this.#entries.set(key, {
      username: detachString(username),
      stored,
      expiresAt: this.#clock() + this.#lifetime,
    });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}
