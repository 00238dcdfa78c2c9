import type { AuthenticationRequest } from '../http/authentication';
import type { OpenAdapter } from '../adapters/adapter-factory';
import { Guard } from '../adapters/guard';
import { basicAnswer } from '../http/basic/basic-credentials';
import { digestAnswer } from '../http/digest/digest-answer';
import type { Throttle } from '../throttling/throttle';
import type { Verdict } from './verdict';
import { verifyCredentials } from './verification';
import { toVerificationProblem } from './verification-problem';

/** The outcome of one sign-in with one challenge. */
export interface SignInAttempt {
  readonly scheme: 'Basic' | 'Digest';
  /** For Digest. */
  readonly algorithm?: string;
  readonly verdict: Verdict;
}

export interface SignInUser {
  readonly username: string;
  readonly password: string;
  /** The network address for which failures are counted. */
  readonly address: string;
}

const REQUEST = { method: 'GET', target: '/' } as const;

/**
 * Signs in to an adapter as a client does: answers its challenges one by one, strongest first, until one is refused.
 * Failures are counted as usual.
 *
 * @param includes selects Digest challenges by their algorithm; defaults to all
 * @returns an empty list for an adapter with neither Basic nor Digest
 * @throws Problem 429 or 503 with too many pending verifications
 */
export async function trySignIn(
  { adapter, description }: OpenAdapter,
  user: SignInUser,
  throttle: Throttle,
  includes: (algorithm: string) => boolean = () => true,
): Promise<readonly SignInAttempt[]> {
  const guard = new Guard([adapter], [description]);
  const attempts: SignInAttempt[] = [];
  for (const [at, challenge] of adapter.challenges(false).entries()) {
    const answer = basicAnswer(challenge, user) ?? digestAnswer(challenge, user, REQUEST, at + 1);
    if (answer === undefined || (answer.algorithm !== undefined && !includes(answer.algorithm))) continue;
    const { field, scheme, algorithm } = answer;
    const request: AuthenticationRequest = { ...REQUEST, address: user.address, authorization: [field] };
    const verdict = await verdictOf(() => verifyCredentials(guard, scheme, request, throttle));
    attempts.push({ scheme, verdict, ...(algorithm === undefined ? {} : { algorithm }) });
    if (verdict.outcome !== 'authenticated') break;
  }
  return attempts;
}

async function verdictOf(verify: () => Verdict | PromiseLike<Verdict>): Promise<Verdict> {
  try {
    return await verify();
  } catch (error) {
    throw toVerificationProblem(error);
  }
}
