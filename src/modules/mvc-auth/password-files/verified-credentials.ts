import { hash, randomBytes } from 'node:crypto';
import { copyOf } from '../text-copy';

/** Whose credentials were verified, and against which stored hash. */
export interface Verified {
  readonly username: string;
  readonly stored: string;
}

interface Entry extends Verified {
  /** In milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Remembers for a short time which credentials were verified, so that not every request of a client pays for a
 * slow hash. They are known by a keyed hash of the text in which they came, with a key that never leaves the object:
 * neither the password nor anything to guess it by is kept.
 */
export class VerifiedCredentials {
  readonly #key = randomBytes(32).toString('base64');
  readonly #entries = new Map<string, Entry>();
  readonly #lifetime: number;
  readonly #limit: number;
  readonly #clock: () => number;

  /** @param options `lifetime`: milliseconds, 60 000 by default; `limit`: how many, 1000 by default */
  constructor(
    options: { readonly lifetime?: number; readonly limit?: number; readonly clock?: () => number } = {},
  ) {
    this.#lifetime = options.lifetime ?? 60_000;
    this.#limit = options.limit ?? 1000;
    this.#clock = options.clock ?? Date.now;
  }

  /**
   * What credentials are known by in here: a hash whose text begins with the key. What HMAC has beyond that is for
   * those who see the hash and try to extend its text, and nobody sees it; in one call it costs a quarter.
   */
  keyOf(sent: string): string {
    return hash('sha256', this.#key + sent, 'base64');
  }

  get(key: string): Verified | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > this.#clock()) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  remember(key: string, { username, stored }: Verified): void {
    this.#entries.delete(key);
    // The name may be a part of the text that it came in, and the password another.
    this.#entries.set(key, { username: copyOf(username), stored, until: this.#clock() + this.#lifetime });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}
