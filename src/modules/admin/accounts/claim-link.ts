import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The one-time link that makes the first administrator. Its token is made when a service without administrators
 * starts, outlives applications, and dies when it is used.
 */
export class Claim {
  #token: string | undefined = randomBytes(32).toString('base64url');

  /** Undefined once it was used. */
  get token(): string | undefined {
    return this.#token;
  }

  /** Whether a token is the one; in constant time. */
  fits(token: string): boolean {
    return this.#token !== undefined && timingSafeEqual(digest(token), digest(this.#token));
  }

  end(): void {
    this.#token = undefined;
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
