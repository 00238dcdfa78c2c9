import { CredentialCache } from '../credential-cache';
import type { AuthenticationResult } from '../http/authentication';

/** Remembers the results of tokens until they expire. */
export class TokenCache extends CredentialCache<AuthenticationResult> {
  /** @param clock milliseconds */
  constructor(clock: () => number, limit = 10_000) {
    super(clock, limit);
  }
}
