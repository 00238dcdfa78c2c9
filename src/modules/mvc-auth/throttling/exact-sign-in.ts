import { createHmac } from 'node:crypto';
import {
  andThen,
  type ExactCounts,
  type MaybePromise,
  type SignInResult,
  type SignInUse,
} from '../../../framework';
import type { CountedKeys } from './counted-keys';
import type { ThrottleSettings } from './throttling-settings';

/** Failures that the whole deployment counts. */
export interface ThrottledCounts {
  readonly counts: ExactCounts;
  /** Hides the passwords that are being verified. */
  readonly key: Buffer;
}

const NO_RESULT: SignInResult = { isFailure: false, forgotten: [] };

/**
 * The sign-in of one request, decided by the failures that the deployment has counted. Until a password is verified, it
 * counts as a failure for all others, on every node.
 */
export class ExactSignIn {
  readonly #counts: ExactCounts;
  readonly #use: SignInUse;
  /** Whether all that is verified counts for others: the limits are asked again at the end otherwise. */
  readonly #isHeld: boolean;
  #hasEnded = false;

  constructor(
    { counts, key }: ThrottledCounts,
    { window, failures, per_address: perAddress }: ThrottleSettings,
    { address, users }: CountedKeys,
    isHeld: boolean,
  ) {
    this.#counts = counts;
    this.#isHeld = isHeld;
    this.#use = {
      window,
      failures,
      perAddress,
      address,
      users: users.map((user) => ({
        key: user.key,
        guess: user.guess === undefined ? '' : hide(key, user.key, user.guess),
      })),
    };
  }

  /** @returns the seconds to wait, 0 for none; undefined if the deployment cannot be reached */
  async begin(): Promise<number | undefined> {
    return toSeconds(await this.#counts.beginSignIn(this.#use));
  }

  /**
   * Counts the result, unless a limit has been reached meanwhile.
   * @returns the seconds to wait then, 0 for none; undefined if the deployment cannot be reached
   */
  end(result: SignInResult): MaybePromise<number | undefined> {
    this.#hasEnded = true;
    const ended = this.#counts.endSignIn(this.#use, result);
    return this.#isHeld ? 0 : andThen(ended, toSeconds);
  }

  /** Ends what has no result. */
  release(): void {
    if (!this.#hasEnded) void this.#counts.endSignIn(this.#use, NO_RESULT);
  }
}

function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1_000);
}

/** Equal passwords of different users do not look alike. */
function hide(key: Buffer, user: string, guess: string): string {
  return createHmac('sha256', key).update(`${user}\0${guess}`).digest('base64url').slice(0, 22);
}
