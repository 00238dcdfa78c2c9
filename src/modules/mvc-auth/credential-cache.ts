import { hash, randomBytes } from 'node:crypto';

/**
 * Remembers what credentials were verified to be, until it expires. Its keys are hashes of the field that carried them, with a
 * key that never leaves the object: nothing here can be sent as credentials, or allows guessing a password. The oldest entries
 * make room for new ones.
 */
export class CredentialCache<Result> {
  readonly #key = randomBytes(32).toString('base64');
  readonly #entries = new Map<string, { readonly result: Result; readonly expiresAt: number }>();
  readonly #clock: () => number;
  readonly #limit: number;
  #generation = 0;

  /**
   * @param clock milliseconds
   * @param limit of entries
   */
  constructor(clock: () => number, limit = 10_000) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** The number of times that it was cleared: what was verified before must not be added. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * Derives the key of a field. A prefixed key is enough: HMAC also resists length extension, which needs the hash, and
   * nobody sees it; this costs a quarter.
   */
  keyOf(field: string): string {
    return hash('sha256', this.#key + field, 'base64');
  }

  get(key: string): Result | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt > this.#clock()) return entry?.result;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param expiresAt milliseconds of the clock */
  add(key: string, result: Result, expiresAt: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { result, expiresAt });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#generation++;
    this.#entries.clear();
  }
}
