import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The one-time link that creates the first administrator. Its token is generated when a service without administrators
 * starts, survives reloads, and expires on use.
 */
export class Claim {
  #token: string | undefined = randomBytes(32).toString('base64url');

  /** Undefined after use. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Compares a token in constant time. */
  matches(token: string): boolean {
    return this.#token !== undefined && timingSafeEqual(digest(token), digest(this.#token));
  }

  end(): void {
    this.#token = undefined;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
