import { andThen, isThenable, type MaybePromise } from '../../../framework';
import type { AuthenticationAdapter } from '../adapters/adapter';
import type { Guard } from '../adapters/guard';
import type {
  AuthenticationAttempt,
  AuthenticationRequest,
  AuthenticationResult,
} from '../http/authentication';
import type { ClaimedUser, SignIn, Throttle } from '../throttling/throttle';

export type Authenticated = AuthenticationResult & {
  readonly outcome: 'authenticated';
  /** The name of the adapter, unless it is the first one that accepts the scheme. */
  readonly adapter?: string;
};

/** The outcome of verifying the credentials of a request. */
export type Verdict =
  | Authenticated
  | { readonly outcome: 'refused'; readonly stale: readonly AuthenticationAdapter[] }
  /** Too many have failed: these were not checked. */
  | { readonly outcome: 'throttled'; readonly seconds: number };

/** The attempt of one adapter that accepts the scheme: a linked list, since there is nearly always one. */
interface VerificationAttempt {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
  readonly attempt: Pick<AuthenticationAttempt, 'verify'> & Partial<AuthenticationAttempt>;
  readonly next: VerificationAttempt | undefined;
}

const NO_ADAPTERS: readonly AuthenticationAdapter[] = Object.freeze([]);

/**
 * Verifies credentials with the adapters of a guard that accept their scheme, one by one until they are correct. Failed
 * passwords are counted; a stale nonce is not a failure.
 */
export function verifyCredentials(
  guard: Guard,
  scheme: string,
  request: AuthenticationRequest,
  throttle: Throttle,
): MaybePromise<Verdict> {
  const first = attemptsOf(guard, scheme, request);
  if (first === undefined) return { outcome: 'refused', stale: NO_ADAPTERS };
  // Without failures there is nothing to throttle: credentials that are verified synchronously skip it.
  const result = throttle.isIdle ? first.attempt.verify() : undefined;
  if (result !== undefined && !isThenable(result) && result.outcome === 'authenticated') return result;
  const signIn = throttle.signIn(request.address, usersOf(first));
  if (result !== undefined) return countFailure(signIn, conclude(signIn, first, NO_ADAPTERS, result));
  return signIn.decide((seconds) =>
    seconds > 0
      ? { outcome: 'throttled', seconds }
      : countFailure(signIn, tryNext(signIn, first, NO_ADAPTERS)),
  );
}

function attemptsOf(
  guard: Guard,
  scheme: string,
  request: AuthenticationRequest,
): VerificationAttempt | undefined {
  let first: VerificationAttempt | undefined;
  for (let at = guard.realmAdapters.length - 1; at >= 0; at--) {
    const entry = guard.realmAdapters[at];
    if (entry?.adapter.takes(scheme) !== true) continue;
    const { adapter, realm } = entry;
    const attempt =
      adapter.attempt === undefined
        ? { verify: () => adapter.authenticate(request) }
        : adapter.attempt(request);
    if (attempt !== undefined) first = { adapter, realm, attempt, next: first };
  }
  return first;
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
  stale: readonly AuthenticationAdapter[],
): MaybePromise<Verdict> {
  return current === undefined
    ? { outcome: 'refused', stale }
    : conclude(signIn, current, stale, current.attempt.verify());
}

/** @param result of the current attempt */
function conclude(
  signIn: SignIn,
  current: VerificationAttempt,
  stale: readonly AuthenticationAdapter[],
  result: MaybePromise<AuthenticationResult>,
): MaybePromise<Verdict> {
  return andThen<AuthenticationResult, Verdict>(result, (settled) => {
    if (settled.outcome === 'refused')
      return andThen(
        tryNext(signIn, current.next, settled.stale ? [...stale, current.adapter] : stale),
        (verdict) => named(verdict, current.next),
      );
    signIn.succeeded(current.realm);
    return settled;
  });
}

/** Names the adapter of a verdict that came from a later one. */
function named(verdict: Verdict, by: VerificationAttempt | undefined): Verdict {
  if (verdict.outcome !== 'authenticated' || verdict.adapter !== undefined || by === undefined)
    return verdict;
  return { ...verdict, adapter: by.adapter.name };
}

function countFailure(signIn: SignIn, verdict: MaybePromise<Verdict>): MaybePromise<Verdict> {
  return isThenable(verdict) ? whilePending(signIn, verdict) : count(signIn, verdict);
}

async function whilePending(signIn: SignIn, pending: PromiseLike<Verdict>): Promise<Verdict> {
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
