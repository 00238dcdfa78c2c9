import type * as Jose from 'jose';
import { lazily } from '../../../../framework';
import type { JwtHeader } from '../jwt/read-jwt';

const load = require;

/** Loaded with the first adapter that verifies tokens. */
export const jose = lazily(() => load('jose') as typeof Jose);

/** A key of `node:crypto` or of the Web Cryptography API. */
export type VerificationKey = Uint8Array | Jose.CryptoKey;

/** Finds the keys that tokens may be signed with. */
export interface KeySource {
  /**
   * Resolves to the keys for a header; none for an unknown key.
   * @throws AuthenticationUnavailable if keys cannot be known now
   */
  keysFor(header: JwtHeader): Promise<readonly VerificationKey[]>;
  readonly warnings: readonly string[];
  close(): void;
}

/** Keys without an ID that fit: so many are tried. */
const MAX_TRIED = 10;

/** The keys of a JWK Set, imported on first use. */
export class KeySet {
  readonly #find: ReturnType<typeof Jose.createLocalJWKSet>;

  constructor(keys: Jose.JSONWebKeySet) {
    this.#find = jose().createLocalJWKSet(keys);
  }

  /** Returns none for an unknown key, and for one that cannot be imported. */
  async keysFor(header: JwtHeader): Promise<readonly VerificationKey[]> {
    try {
      return [await this.#find({ ...header })];
    } catch (error) {
      if (!(error instanceof jose().errors.JWKSMultipleMatchingKeys)) return [];
      const found: VerificationKey[] = [];
      for await (const key of error) if (found.push(key) === MAX_TRIED) break;
      return found;
    }
  }
}
