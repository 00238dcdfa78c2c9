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
  | Authenticated
  | { readonly outcome: 'refused'; readonly stale: readonly AuthenticationAdapter[] }
  /** Too many have failed: these were not looked at. */
  | { readonly outcome: 'throttled'; readonly seconds: number };

/** Credentials before one of the adapters that take their scheme; a chain, as of nearly all there is one. */
interface Trial {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
  readonly attempt: Pick<AuthenticationAttempt, 'verify'> & Partial<AuthenticationAttempt>;
  readonly next: Trial | undefined;
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
  const first = trialsOf(guard, scheme, request);
  if (first === undefined) return { outcome: 'refused', stale: NO_ADAPTERS };
  // Where nobody has failed, nobody has to wait, and who is known at once costs the throttle nothing.
  const result = throttle.isIdle ? first.attempt.verify() : undefined;
  if (result !== undefined && !isThenable(result) && result.outcome === 'authenticated') return result;
  const signIn = throttle.signIn(request.address, claimsOf(first));
  if (result !== undefined) return counted(signIn, judged(signIn, first, NO_ADAPTERS, result));
  return signIn.decide((seconds) =>
    seconds > 0 ? { outcome: 'throttled', seconds } : counted(signIn, tried(signIn, first, NO_ADAPTERS)),
  );
}

function trialsOf(guard: Guard, scheme: string, request: AuthenticationRequest): Trial | undefined {
  let first: Trial | undefined;
  for (let at = guard.keepers.length - 1; at >= 0; at--) {
    const keeper = guard.keepers[at];
    if (keeper?.adapter.takes(scheme) !== true) continue;
    const { adapter, realm } = keeper;
    const attempt =
      adapter.attempt === undefined
        ? { verify: () => adapter.authenticate(request) }
        : adapter.attempt(request);
    if (attempt !== undefined) first = { adapter, realm, attempt, next: first };
  }
  return first;
}

function claimsOf(first: Trial): readonly Claim[] {
  const claims: Claim[] = [];
  for (let trial: Trial | undefined = first; trial !== undefined; trial = trial.next) {
    const { username, guess } = trial.attempt;
    if (username !== undefined) claims.push({ realm: trial.realm, username, guess });
  }
  return claims;
}

function tried(
  signIn: SignIn,
  trial: Trial | undefined,
  stale: readonly AuthenticationAdapter[],
): MaybePromise<Verdict> {
  return trial === undefined
    ? { outcome: 'refused', stale }
    : judged(signIn, trial, stale, trial.attempt.verify());
}

/** @param result what the adapter of the trial has found */
function judged(
  signIn: SignIn,
  trial: Trial,
  stale: readonly AuthenticationAdapter[],
  result: MaybePromise<AuthenticationResult>,
): MaybePromise<Verdict> {
  return andThen<AuthenticationResult, Verdict>(result, (settled) => {
    if (settled.outcome === 'refused')
      return tried(signIn, trial.next, settled.stale ? [...stale, trial.adapter] : stale);
    signIn.succeeded(trial.realm);
    return settled;
  });
}

/** Counts what has failed. */
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
  if (verdict.outcome === 'refused' && verdict.stale.length === 0) signIn.failed();
  return verdict;
}
