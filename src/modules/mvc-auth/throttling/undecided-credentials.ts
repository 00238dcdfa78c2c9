import { steadyNow } from '../../../framework';
import { CredentialCache } from '../credential-cache';

/** Milliseconds since they were sent last: longer than most outages. */
const LIFETIME = 3_600_000;

/**
 * Credentials that one adapter has refused while another one could not decide. Clients repeat the valid ones of the
 * other adapter until an outage ends, while guesses differ.
 */
export class UndecidedCredentials extends CredentialCache<true> {
  constructor() {
    super(steadyNow);
  }

  /** Returns whether credentials were sent before, and records them. */
  isRepeated(credentials: string): boolean {
    const key = this.keyOf(credentials);
    const isKnown = this.get(key) === true;
    this.add(key, true, steadyNow() + LIFETIME);
    return isKnown;
  }
}
