import { isThenable, problem, type MvcEvent } from '../../../framework';
import { toVerificationProblem, type Throttle } from '../../mvc-auth';
import type { Administrators } from './administrators';

/** The throttling realm of administrators, shared by the pages and the admin API. */
export const ADMINISTRATORS_REALM = 'Administrators';

/**
 * Verifies a secret and counts failures.
 * @param address that failures are counted for
 * @param attempt the secret, and the realm and user that failures are counted for
 * @param verify resolves to false or undefined for a wrong secret
 * @throws Problem 429 with `Retry-After` after too many failures, 503 if too many verifications are pending
 */
export async function throttled<T extends string | boolean | undefined>(
  throttle: Throttle,
  address: string,
  attempt: { readonly realm: string; readonly username: string; readonly guess: string },
  verify: () => Promise<T>,
): Promise<T> {
  const signIn = throttle.signIn(address, [attempt]);
  const result = signIn.decide(async (wait) => {
    assertNoWait(wait);
    const release = signIn.hold();
    try {
      const verified = await verify();
      const isWrong = verified === undefined || verified === false;
      assertNoWait(await (isWrong ? signIn.failed() : signIn.succeeded(attempt.realm)));
      return verified;
    } finally {
      release();
    }
  });
  return isThenable(result) ? await result : result;
}

/** @throws Problem 429 */
function assertNoWait(seconds: number): void {
  if (seconds === 0) return;
  throw problem('too_many_failures', { seconds }, { fields: [['Retry-After', String(seconds)]] });
}

/**
 * Verifies the name and password of an administrator.
 * @returns as {@link Administrators.verify}
 * @throws Problem as {@link throttled} does
 */
export async function verifyAdministrator(
  throttle: Throttle,
  event: MvcEvent,
  administrators: Administrators,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<string | undefined> {
  const attempt = { realm: ADMINISTRATORS_REALM, username: name, guess: password };
  try {
    return await throttled(throttle, event.request.address, attempt, () =>
      administrators.verify(name, password, event.request),
    );
  } catch (error) {
    throw toVerificationProblem(error);
  }
}
