import { steadyNow } from '../../../framework';
import { CredentialCache } from '../credential-cache';

/** Milliseconds since they were sent last: longer than most outages. */
const LIFETIME = 3_600_000;

/**
 * Passwords that one adapter has refused while another one could not decide. Clients repeat the right password of the
 * other adapter until an outage ends, while guesses differ.
 */
export class UndecidedGuesses extends CredentialCache<true> {
  constructor() {
    super(steadyNow);
  }

  /** Returns whether a guess was made before, and remembers it. */
  isRepeated(guess: string): boolean {
    const key = this.keyOf(guess);
    const isKnown = this.get(key) === true;
    this.add(key, true, steadyNow() + LIFETIME);
    return isKnown;
  }
}
