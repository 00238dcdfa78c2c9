import { andThen, isThenable, type MaybePromise } from '../../framework';
import type {
  AuthenticationAdapter,
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from './adapter';
import type { Guard } from './guard';
import type { Claim, SignIn, Throttle } from './throttling/throttle';

/** What an adapter says of credentials that are right. */
export type Authenticated = AuthenticationResult & { readonly outcome: 'authenticated' };

/** What became of the credentials of a request. */
export type Verdict =
  | { readonly outcome: 'authenticated'; readonly realm: string; readonly result: Authenticated }
  | { readonly outcome: 'refused'; readonly stale: readonly AuthenticationAdapter[] }
  /** Too many have failed: these were not looked at. */
  | { readonly outcome: 'throttled'; readonly seconds: number };

/** Credentials before one of the adapters that take their scheme. */
interface Trial {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
  readonly attempt: Pick<AuthenticationAttempt, 'verify'> & Partial<AuthenticationAttempt>;
}

const NO_ADAPTERS: readonly AuthenticationAdapter[] = Object.freeze([]);

/**
 * Has the adapters of a guard that take a scheme verify the credentials, in turn, until one finds them right.
 * Failures are counted where a password was tried; a stale nonce is none.
 */
export function verifyCredentials(
  guard: Guard,
  scheme: string,
  request: AuthenticationRequest,
  throttle: Throttle,
): MaybePromise<Verdict> {
  const trials = trialsOf(guard, scheme, request);
  if (trials.length === 0) return { outcome: 'refused', stale: [] };
  const begin = (): SignIn => throttle.signIn(request.address, claimsOf(trials));
  // Where nobody has failed, nobody has to wait, and who is known at once costs the throttle nothing.
  if (throttle.isIdle) {
    const verdict = inTurn(trials, 0, NO_ADAPTERS);
    return !isThenable(verdict) && verdict.outcome === 'authenticated' ? verdict : counted(begin(), verdict);
  }
  const signIn = begin();
  return signIn.decide((seconds) =>
    seconds > 0 ? { outcome: 'throttled', seconds } : counted(signIn, inTurn(trials, 0, NO_ADAPTERS)),
  );
}

// Of nearly all requests there is one trial: loops, as lists of lists and rests of lists cost more than the trial.
function trialsOf(guard: Guard, scheme: string, request: AuthenticationRequest): readonly Trial[] {
  const trials: Trial[] = [];
  for (const adapter of guard.adapters) {
    if (!adapter.takes(scheme)) continue;
    const attempt =
      adapter.attempt === undefined
        ? { verify: () => adapter.authenticate(request) }
        : adapter.attempt(request);
    if (attempt !== undefined) trials.push({ adapter, attempt, realm: guard.realmOf(adapter) });
  }
  return trials;
}

function claimsOf(trials: readonly Trial[]): readonly Claim[] {
  const claims: Claim[] = [];
  for (const { realm, attempt } of trials) {
    const { username, guess } = attempt;
    if (username !== undefined) claims.push({ realm, username, guess });
  }
  return claims;
}

function inTurn(
  trials: readonly Trial[],
  at: number,
  stale: readonly AuthenticationAdapter[],
): MaybePromise<Verdict> {
  const trial = trials[at];
  if (trial === undefined) return { outcome: 'refused', stale };
  const { adapter, attempt, realm } = trial;
  return andThen<AuthenticationResult, Verdict>(attempt.verify(), (result) =>
    result.outcome === 'authenticated'
      ? { outcome: 'authenticated', realm, result }
      : inTurn(trials, at + 1, result.stale ? [...stale, adapter] : stale),
  );
}

function counted(signIn: SignIn, verdict: MaybePromise<Verdict>): MaybePromise<Verdict> {
  return isThenable(verdict) ? whileHeld(signIn, verdict) : count(signIn, verdict);
}

async function whileHeld(signIn: SignIn, pending: PromiseLike<Verdict>): Promise<Verdict> {
  const release = signIn.hold();
  try {
    return count(signIn, await pending);
  } finally {
    release();
  }
}

function count(signIn: SignIn, verdict: Verdict): Verdict {
  if (verdict.outcome === 'authenticated') signIn.succeeded(verdict.realm);
  else if (verdict.outcome === 'refused' && verdict.stale.length === 0) signIn.failed();
  return verdict;
}
