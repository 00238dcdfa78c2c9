import type { ExactCounts } from '../../../framework';
import type { ClaimedUser } from './counted-keys';
import { SignIn } from './sign-in';
import type { ThrottleSettings } from './throttling-settings';
import type { ThrottleState } from './throttle-state';

/** The counts of the deployment, and the key that hides the passwords that are being verified. */
export interface ThrottledDeployment {
  readonly counts: () => ExactCounts | undefined;
  readonly key: Buffer;
}

/**
 * Throttles password guessing: counts failures per user and address, and per address. A user is not locked out from
 * other addresses, unless a caller gives all of them one name, as for one-time passwords of administrators. Known and unknown users are treated alike.
 */
export class Throttle {
  readonly #settings: ThrottleSettings;
  readonly #state: ThrottleState;
  readonly #deployment: ThrottledDeployment | undefined;

  /** @param deployment required for `exact` */
  constructor(settings: ThrottleSettings, state: ThrottleState, deployment?: ThrottledDeployment) {
    this.#settings = settings;
    this.#state = state;
    this.#deployment = settings.enabled && settings.exact === true ? deployment : undefined;
  }

  /** Undefined if the counts of this process apply. */
  get #exact(): ExactCounts | undefined {
    const counts = this.#deployment?.counts();
    return counts?.isAvailable === true ? counts : undefined;
  }

  /** Whether there are neither failures nor pending verifications. */
  get isIdle(): boolean {
    if (this.#exact !== undefined) return false;
    const { counts, pending } = this.#state;
    return !this.#settings.enabled || (counts.isEmpty && pending.isEmpty);
  }

  /** @param users one per adapter that may verify the credentials */
  signIn(address: string, users: readonly ClaimedUser[]): SignIn {
    const exact = this.#exact;
    return new SignIn(
      this.#settings,
      this.#state,
      { address, users },
      exact === undefined || this.#deployment === undefined
        ? undefined
        : { counts: exact, key: this.#deployment.key },
    );
  }
}
