import { pluralize, problem, type Application } from '../../../../framework';
import { Guards, Throttle, trySignIn, type SignInAttempt } from '../../../mvc-auth';

/** The credentials of a test sign-in, which are neither stored nor logged. */
export interface TestedUser {
  readonly username: string;
  readonly password: string;
  /** The client address that failures count for. */
  readonly address: string;
}

/** The result of a test sign-in. */
export interface SignInResult {
  /** `untestable`: the adapter does not verify user names and passwords, or is not active at the moment. */
  readonly outcome: 'signed in' | 'refused' | 'throttled' | 'untestable';
  readonly username: string;
  /** Of the signed-in user. */
  readonly groups: readonly string[];
  /** One line for each tried scheme and algorithm, strongest first. */
  readonly steps: readonly string[];
}

/** What the adapter's file says about a user. */
export interface KnownUser {
  /** Whether the file has an entry of the user; undefined if unknown. */
  readonly exists: boolean | undefined;
  /** The Digest algorithms of the user's entries. */
  readonly algorithms: readonly string[];
}

/**
 * Signs in to an active adapter as a client would; failures count for throttling.
 * @throws Problem 404 for an inactive adapter, 503 if too many verifications are pending
 */
export async function testSignIn(
  { services }: Application,
  name: string,
  user: TestedUser,
  known: KnownUser,
): Promise<SignInResult> {
  const open = (await services.get(Guards)).adapter(name);
  if (open === undefined) throw problem('name_not_found', { kind: 'adapter', name, names: [] });
  const skipped: string[] = [];
  const trials = await trySignIn(open, user, await services.get(Throttle), (algorithm) => {
    // All algorithms are tried for an unknown user, so that the attempt counts.
    const isTried = known.algorithms.length === 0 || known.algorithms.includes(algorithm);
    if (!isTried) skipped.push(`Digest with ${algorithm}: the file has no entry of the user for it.`);
    return isTried;
  });
  const last = trials.at(-1);
  if (last === undefined) {
    const outcome = skipped.length > 0 ? 'refused' : 'untestable';
    return { outcome, username: user.username, groups: [], steps: skipped };
  }
  const { verdict } = last;
  const outcome = verdict.outcome === 'authenticated' ? 'signed in' : verdict.outcome;
  return {
    outcome,
    username: verdict.outcome === 'authenticated' ? verdict.username : user.username,
    groups: verdict.outcome === 'authenticated' ? (verdict.groups ?? []) : [],
    steps: [...trials.map((trial) => messageFor(trial, user, known)), ...skipped],
  };
}

function messageFor(
  { scheme, algorithm, verdict }: SignInAttempt,
  user: TestedUser,
  known: KnownUser,
): string {
  const way = algorithm === undefined ? scheme : `${scheme} with ${algorithm}`;
  switch (verdict.outcome) {
    case 'authenticated':
      return `${way}: password accepted.`;
    case 'throttled':
      return `${way}: too many failed attempts. Try again in ${pluralize(verdict.seconds, 'second')}.`;
    case 'refused':
      if (known.exists === false) return `${way}: user "${user.username}" does not exist.`;
      return `${way}: wrong password.`;
  }
}
