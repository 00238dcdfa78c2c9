import { createHmac } from 'node:crypto';
import type { ExactCounts, MaybePromise, SignInResult, SignInUse } from '../../../framework';
import type { Keys, ThrottleSettings } from './throttle';

/** Failures that the whole deployment counts. */
export interface ExactSignIn {
  readonly counts: ExactCounts;
  /** Hides the passwords that are being verified. */
  readonly key: Buffer;
}

interface Decision<T> {
  /** Called with the seconds that the client has to wait, 0 for none. */
  readonly proceed: (seconds: number) => MaybePromise<T>;
  /** Known when `proceed` has settled. */
  readonly result: () => SignInResult;
  /** Decides by the counts of the process: the others cannot be reached. */
  readonly withoutDeployment: () => MaybePromise<T>;
}

/**
 * Decides by the failures that the deployment has counted. Until a password is verified, it counts as a failure for all
 * others, on every node.
 */
export async function decideExactly<T>(
  { counts, key }: ExactSignIn,
  { window, failures, per_address: perAddress }: ThrottleSettings,
  { address, users }: Keys,
  { proceed, result, withoutDeployment }: Decision<T>,
): Promise<T> {
  const use: SignInUse = {
    window,
    failures,
    perAddress,
    address,
    users: users.map((user) => ({
      key: user.key,
      guess: user.guess === undefined ? '' : hide(key, user.key, user.guess),
    })),
  };
  const wait = await counts.beginSignIn(use);
  if (wait === undefined) return await withoutDeployment();
  if (wait > 0) return await proceed(Math.ceil(wait / 1_000));
  try {
    return await proceed(0);
  } finally {
    counts.endSignIn(use, result());
  }
}

/** Equal passwords of different users do not look alike. */
function hide(key: Buffer, user: string, guess: string): string {
  return createHmac('sha256', key).update(`${user}\0${guess}`).digest('base64url').slice(0, 22);
}
