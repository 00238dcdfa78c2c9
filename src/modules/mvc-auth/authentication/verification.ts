import { andThen, isThenable, type MaybePromise } from '../../../framework';
import type { AuthenticationAdapter } from '../adapters/adapter';
import { readsCredentialsAt } from '../adapters/credential-locations';
import type { Guard, Refusal } from '../adapters/guard';
import { AuthenticationUnavailable } from '../http/authentication-unavailable';
import type {
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from '../http/authentication';
import { schemeOf } from '../http/credentials';
import type { ClaimedUser } from '../throttling/counted-keys';
import type { SignIn } from '../throttling/sign-in';
import type { Throttle } from '../throttling/throttle';
import { assertResult } from './assert-result';
import {
  countPending,
  countUndecided,
  countVerdict,
  unlessLate,
  type Authenticated,
  type Verdict,
} from './verdict';

/** The attempt of one adapter that accepts the scheme: a linked list, since there is nearly always one. */
interface VerificationAttempt {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
  readonly request: AuthenticationRequest;
  readonly attempt: Pick<AuthenticationAttempt, 'verify'> & Partial<AuthenticationAttempt>;
  readonly next: VerificationAttempt | undefined;
}

const NO_REFUSALS: readonly Refusal[] = Object.freeze([]);

/** An adapter before the last one may be out of reach while a later one accepts the credentials. */
type AttemptResult = AuthenticationResult | AuthenticationUnavailable;

/**
 * Verifies credentials with the adapters of a guard that accept their scheme, or read them where they are, one by one
 * until they are correct. Failed passwords, tokens and keys are counted; a stale nonce is not a failure.
 *
 * @param scheme of `Authorization`; ignored for credentials in other places
 */
export function verifyCredentials(
  guard: Guard,
  scheme: string,
  request: AuthenticationRequest,
  throttle: Throttle,
): MaybePromise<Verdict> {
  const first = attemptsOf(guard, scheme, request);
  if (first === undefined) return { outcome: 'refused', refusals: NO_REFUSALS, isUnreadable: true };
  // Without failures there is nothing to throttle: credentials that are verified synchronously skip it.
  const result = throttle.isIdle ? verify(first) : undefined;
  if (result !== undefined && !isThenable(result) && isAuthenticated(result, first)) return result;
  const signIn = throttle.signIn(request.address, usersOf(first));
  if (result !== undefined) return verdictOf(signIn, first, result);
  return signIn.decide((seconds) =>
    seconds > 0 ? { outcome: 'throttled', seconds } : verdictOf(signIn, first),
  );
}

function attemptsOf(
  guard: Guard,
  scheme: string,
  request: AuthenticationRequest,
): VerificationAttempt | undefined {
  let first: VerificationAttempt | undefined;
  const { credential } = request;
  for (let at = guard.realmAdapters.length - 1; at >= 0; at--) {
    const entry = guard.realmAdapters[at];
    if (entry === undefined) continue;
    const isAccepted =
      credential === undefined ? entry.adapter.takes(scheme) : readsCredentialsAt(entry.adapter, credential);
    if (!isAccepted) continue;
    const { adapter, realm } = entry;
    const attempt = attemptOf(adapter, request);
    if (attempt !== undefined) first = { adapter, realm, request, attempt, next: first };
  }
  return first;
}

/** @returns undefined for credentials that the adapter does not accept */
function attemptOf(
  adapter: AuthenticationAdapter,
  request: AuthenticationRequest,
): VerificationAttempt['attempt'] | undefined {
  if (adapter.attempt === undefined) return { verify: () => adapter.authenticate(request) };
  try {
    return adapter.attempt(request);
  } catch (error) {
    const outage = outageOf(error);
    // As if it failed later: another adapter may accept the credentials.
    return {
      verify: () => {
        throw outage;
      },
    };
  }
}

function usersOf(first: VerificationAttempt): readonly ClaimedUser[] {
  const users: ClaimedUser[] = [];
  for (let current: VerificationAttempt | undefined = first; current; current = current.next) {
    const { username, guess } = current.attempt;
    if (username !== undefined) users.push({ realm: current.realm, username, guess });
  }
  return users;
}

function tryNext(
  signIn: SignIn,
  current: VerificationAttempt | undefined,
  refusals: readonly Refusal[],
  outage?: AuthenticationUnavailable,
): MaybePromise<Verdict> {
  if (current !== undefined) return conclude(signIn, current, refusals, verify(current), outage);
  if (outage !== undefined) throw outage;
  return { outcome: 'refused', refusals };
}

/** @throws AuthenticationUnavailable of the last attempt: no other one is left */
function verify({ attempt, next }: VerificationAttempt): MaybePromise<AttemptResult> {
  if (next === undefined) return attempt.verify();
  try {
    const result = attempt.verify();
    return isThenable(result) ? result.then(undefined, outageOf) : result;
  } catch (error) {
    return outageOf(error);
  }
}

function outageOf(error: unknown): AuthenticationUnavailable {
  if (error instanceof AuthenticationUnavailable) return error;
  throw error;
}

function isAuthenticated(result: AttemptResult, { adapter }: VerificationAttempt): result is Authenticated {
  if (result instanceof AuthenticationUnavailable) return false;
  assertResult(result, adapter);
  return result.outcome === 'authenticated';
}

/**
 * @param result of the current attempt
 * @param outage of an earlier one
 */
function conclude(
  signIn: SignIn,
  current: VerificationAttempt,
  refusals: readonly Refusal[],
  result: MaybePromise<AttemptResult>,
  outage?: AuthenticationUnavailable,
): MaybePromise<Verdict> {
  return andThen<AttemptResult, Verdict>(result, (settled) => {
    if (settled instanceof AuthenticationUnavailable)
      return andThen(tryNext(signIn, current.next, refusals, settled), (verdict) =>
        named(verdict, current.next),
      );
    assertResult(settled, current.adapter);
    if (settled.outcome === 'refused') {
      if (isPassword(current)) signIn.refused(settled.stale);
      return andThen(
        tryNext(signIn, current.next, withRefusal(refusals, current.adapter, settled), outage),
        (verdict) => named(verdict, current.next),
      );
    }
    return unlessLate(signIn.succeeded(current.realm), settled);
  });
}

/** Tokens and keys are often those of another adapter, and nobody guesses them. */
function isPassword({ attempt, request }: VerificationAttempt): boolean {
  return (
    attempt.username !== undefined || /^(?:basic|digest)$/i.test(schemeOf(request.authorization[0] ?? ''))
  );
}

function withRefusal(
  refusals: readonly Refusal[],
  adapter: AuthenticationAdapter,
  { stale, challenge, reason }: AuthenticationResult & { readonly outcome: 'refused' },
): readonly Refusal[] {
  return stale || challenge !== undefined || reason !== undefined
    ? [...refusals, { adapter, stale, parameters: challenge, reason }]
    : refusals;
}

/** Names the adapter of a verdict that came from a later one. */
function named(verdict: Verdict, by: VerificationAttempt | undefined): Verdict {
  if (verdict.outcome !== 'authenticated' || verdict.adapter !== undefined || by === undefined)
    return verdict;
  return { ...verdict, adapter: by.adapter.name };
}

/** @param result of the first attempt, if it has been made */
function verdictOf(
  signIn: SignIn,
  first: VerificationAttempt,
  result?: MaybePromise<AttemptResult>,
): MaybePromise<Verdict> {
  let verdict: MaybePromise<Verdict>;
  try {
    verdict =
      result === undefined
        ? tryNext(signIn, first, NO_REFUSALS)
        : conclude(signIn, first, NO_REFUSALS, result);
  } catch (error) {
    return countUndecided(signIn, first.request, error);
  }
  return isThenable(verdict) ? countPending(signIn, first.request, verdict) : countVerdict(signIn, verdict);
}
