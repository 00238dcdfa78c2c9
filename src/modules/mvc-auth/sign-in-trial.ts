import { problem } from '../../framework';
import type { AuthenticationRequest } from './adapter';
import type { OpenAdapter } from './adapter-factory';
import { Guard } from './guard';
import { basicAnswer } from './http/basic/basic-answer';
import { digestAnswer } from './http/digest/digest-answer';
import { HashingOverloadError } from './password-files/hashing-queue';
import type { Throttle } from './throttling/throttle';
import { verifyCredentials, type Verdict } from './verification';

/** What became of one sign-in that was tried. */
export interface SignInTrial {
  readonly scheme: 'Basic' | 'Digest';
  /** Of Digest. */
  readonly algorithm?: string;
  readonly verdict: Verdict;
}

/** Who tries to sign in, and from where. */
export interface TrialUser {
  readonly username: string;
  readonly password: string;
  /** The network address that failures are counted for. */
  readonly address: string;
}

const REQUEST = { method: 'GET', target: '/' } as const;

/**
 * Signs in to an adapter as a client would that answers its challenges, strongest first, each in turn until one is
 * refused. Failures count as everyone's do.
 *
 * @param wanted which challenges of Digest to answer, by their algorithm; all unless told
 * @returns nothing for an adapter that speaks neither Basic nor Digest
 * @throws Problem 503 when too many passwords wait
 */
export async function trySignIn(
  { adapter, description }: OpenAdapter,
  user: TrialUser,
  throttle: Throttle,
  wanted: (algorithm: string) => boolean = () => true,
): Promise<readonly SignInTrial[]> {
  const guard = new Guard([adapter], [description]);
  const trials: SignInTrial[] = [];
  for (const [at, challenge] of adapter.challenges(false).entries()) {
    const answer = basicAnswer(challenge, user) ?? digestAnswer(challenge, user, REQUEST, at + 1);
    if (answer === undefined || (answer.algorithm !== undefined && !wanted(answer.algorithm))) continue;
    const { field, scheme, algorithm } = answer;
    const request: AuthenticationRequest = { ...REQUEST, address: user.address, authorization: [field] };
    const verdict = await judged(() => verifyCredentials(guard, scheme, request, throttle));
    trials.push({ scheme, verdict, ...(algorithm === undefined ? {} : { algorithm }) });
    if (verdict.outcome !== 'authenticated') break;
  }
  return trials;
}

async function judged(verify: () => Verdict | PromiseLike<Verdict>): Promise<Verdict> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof HashingOverloadError)) throw error;
    throw problem('busy', {}, { fields: [['Retry-After', String(error.retryAfter)]], cause: error });
  }
}
