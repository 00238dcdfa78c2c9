import { hash, randomBytes } from 'node:crypto';

/**
 * Remembers for a short time which credentials were verified, so that not every request of a client pays for a
 * slow hash. Kept is a keyed hash of stored hash, name and password, with a key that never leaves the object:
 * neither the password nor anything to guess it by, and nothing that fits once the file has another hash.
 */
export class VerifiedCredentials {
  readonly #key = randomBytes(32).toString('base64');
  readonly #until = new Map<string, number>();
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
  keyOf(stored: string, username: string, password: string): string {
    return hash('sha256', `${this.#key}${stored}\0${username}\0${password}`, 'base64');
  }

  has(key: string): boolean {
    const until = this.#until.get(key);
    if (until !== undefined && until > this.#clock()) return true;
    this.#until.delete(key);
    return false;
  }

  remember(key: string): void {
    this.#until.delete(key);
    this.#until.set(key, this.#clock() + this.#lifetime);
    const [oldest] = this.#until.keys();
    if (this.#until.size > this.#limit && oldest !== undefined) this.#until.delete(oldest);
  }

  clear(): void {
    this.#until.clear();
  }
}
