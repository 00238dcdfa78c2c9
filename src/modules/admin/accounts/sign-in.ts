import { isThenable, problem, type MvcEvent } from '../../../framework';
import { toVerificationProblem, type Throttle } from '../../mvc-auth';
import type { Administrators } from './administrators';

/** What failures are counted under, for pages as for the admin API. */
export const ADMINISTRATORS_REALM = 'Administrators';

/**
 * Slows down who guesses: tries a secret, and counts it when it is wrong.
 * @param claim whom the secret is for, and the secret
 * @throws Problem 429 with `Retry-After` when too many have failed, 503 when too many wait
 */
export async function throttled(
  throttle: Throttle,
  event: MvcEvent,
  claim: { readonly realm: string; readonly username: string; readonly guess: string },
  trial: () => Promise<boolean>,
): Promise<boolean> {
  const signIn = throttle.signIn(event.request.address, [claim]);
  const decided = signIn.decide(async (seconds) => {
    if (seconds > 0) {
      const fields = [['Retry-After', String(seconds)]] as const;
      throw problem('too_many_failures', { seconds }, { fields });
    }
    const release = signIn.hold();
    try {
      const right = await trial();
      if (right) signIn.succeeded(claim.realm);
      else signIn.failed();
      return right;
    } finally {
      release();
    }
  });
  return isThenable(decided) ? await decided : decided;
}

/** Whether these are an administrator's name and password. @throws Problem as {@link throttled} does */
export async function verifyAdministrator(
  throttle: Throttle,
  event: MvcEvent,
  administrators: Administrators,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<boolean> {
  const claim = { realm: ADMINISTRATORS_REALM, username: name, guess: password };
  try {
    return await throttled(throttle, event, claim, () =>
      administrators.verify(name, password, event.request),
    );
  } catch (error) {
    throw toVerificationProblem(error);
  }
}
