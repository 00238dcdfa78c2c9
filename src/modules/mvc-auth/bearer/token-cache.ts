import { hash, randomBytes } from 'node:crypto';
import type { AuthenticationResult } from '../http/authentication';

interface Entry {
  readonly result: AuthenticationResult;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/**
 * Remembers the results of tokens until they expire. Its keys are hashes of the field that carried a token, with a key that
 * never leaves the object: nothing here can be sent as a token. The oldest entries make room for new ones.
 */
export class TokenCache {
  readonly #key = randomBytes(32).toString('base64');
  readonly #entries = new Map<string, Entry>();
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

  get size(): number {
    return this.#entries.size;
  }

  /** The number of times that it was cleared: what was verified before must not be added. */
  get generation(): number {
    return this.#generation;
  }

  /** A prefixed key is enough: nobody sees the hash, which extending it would need. */
  keyOf(field: string): string {
    return hash('sha256', this.#key + field, 'base64');
  }

  get(key: string): AuthenticationResult | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt > this.#clock()) return entry?.result;
    this.#entries.delete(key);
    return undefined;
  }

  /** @param expiresAt milliseconds of the clock */
  add(key: string, result: AuthenticationResult, expiresAt: number): void {
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
