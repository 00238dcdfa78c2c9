import type { Application } from '../../../../framework';
import { problem } from '../../../../framework';
import { Guards, Throttle, trySignIn, type SignInTrial } from '../../../mvc-auth';

/** Who tries to sign in. Nothing of it is kept or logged. */
export interface TestedUser {
  readonly username: string;
  readonly password: string;
  /** The network address that a failure is counted for. */
  readonly address: string;
}

/** What came of a sign-in that was tried. */
export interface SignInResult {
  /** `untestable`: the adapter takes no user names and passwords, or none at the moment. */
  readonly outcome: 'signed in' | 'refused' | 'throttled' | 'untestable';
  readonly username: string;
  /** Of a user who signed in. */
  readonly groups: readonly string[];
  /** One sentence for each scheme and algorithm that was tried, the strongest first. */
  readonly steps: readonly string[];
}

/** What is known of a user without a password. */
export interface KnownUser {
  /** Whether a line of the adapter's file is the user's; undefined where that is not known. */
  readonly exists: boolean | undefined;
  /** The algorithms of Digest for which the user has a line. */
  readonly algorithms: readonly string[];
}

/**
 * Signs in to an adapter that is in force, as a client would. It counts for the throttle as everyone's attempts do.
 * @throws Problem 404 for an adapter that is not in force, 503 when too many passwords wait
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
    // Of an unknown user every algorithm is tried, so that the attempt counts.
    const isTried = known.algorithms.length === 0 || known.algorithms.includes(algorithm);
    if (!isTried) skipped.push(`Digest with ${algorithm}: the user has no line for it in the file.`);
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
    steps: [...trials.map((trial) => sentenceOf(trial, user, known)), ...skipped],
  };
}

function sentenceOf({ scheme, algorithm, verdict }: SignInTrial, user: TestedUser, known: KnownUser): string {
  const way = algorithm === undefined ? scheme : `${scheme} with ${algorithm}`;
  switch (verdict.outcome) {
    case 'authenticated':
      return `${way}: the password is right.`;
    case 'throttled':
      return `${way}: too many sign-ins have failed. Try again in ${verdict.seconds} seconds.`;
    case 'refused':
      if (known.exists === false) return `${way}: there is no user "${user.username}".`;
      return `${way}: the password is wrong.`;
  }
}
