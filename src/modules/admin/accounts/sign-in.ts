import { isThenable, Problem, problem, type MvcEvent } from '../../../framework';
import { HashingOverloadError, type Throttle } from '../../mvc-auth';
import type { Administrators } from './administrators';

/** What failures are counted under, for pages as for the admin API. */
export const ADMINISTRATORS_REALM = 'Administrators';

/**
 * Slows down who guesses: tries a secret, and counts it when it is wrong.
 * @param claim whom the secret is for, and the secret
 * @throws Problem 429 with `Retry-After` when too many have failed, 503 when too many wait
 */
export async function slowly(
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

/** Whether these are an administrator's name and password. @throws Problem as {@link slowly} does */
export async function signsIn(
  throttle: Throttle,
  event: MvcEvent,
  administrators: Administrators,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<boolean> {
  const claim = { realm: ADMINISTRATORS_REALM, username: name, guess: password };
  try {
    return await slowly(throttle, event, claim, () => administrators.verify(name, password));
  } catch (error) {
    if (error instanceof Problem || !(error instanceof HashingOverloadError)) throw error;
    const fields = [['Retry-After', String(error.retryAfter)]] as const;
    throw problem('busy', {}, { fields, cause: error });
  }
}
