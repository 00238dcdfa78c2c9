import { andThen, type MaybePromise } from '../../../framework';
import type { Refusal } from '../adapters/guard';
import type { AuthenticationRequest, AuthenticationResult } from '../http/authentication';
import type { SignIn } from '../throttling/sign-in';

export type Authenticated = AuthenticationResult & {
  readonly outcome: 'authenticated';
  /** The name of the adapter, unless it is the first one that accepts the scheme. */
  readonly adapter?: string;
};

/** The outcome of verifying the credentials of a request. */
export type Verdict =
  | Authenticated
  | {
      readonly outcome: 'refused';
      readonly refusals: readonly Refusal[];
      /** Whether no adapter could verify them: they are malformed, or of another scheme. */
      readonly isUnreadable?: true;
    }
  /** Too many have failed: these were not checked. */
  | { readonly outcome: 'throttled'; readonly seconds: number };

/** Counts a refusal. A limit that it reaches replaces the verdict. */
export function countVerdict(signIn: SignIn, verdict: Verdict): MaybePromise<Verdict> {
  if (verdict.outcome !== 'refused') return verdict;
  const isStale = verdict.refusals.some(({ stale }) => stale);
  return unlessLate(isStale ? signIn.stale() : signIn.failed(), verdict);
}

/** Counts a verdict when it is known. Until then, the passwords are held. */
export function countPending(
  signIn: SignIn,
  request: AuthenticationRequest,
  pending: PromiseLike<Verdict>,
): Promise<Verdict> {
  // Nothing is held for most that wait, such as Digest over Redis.
  const release = signIn.hasGuess ? signIn.hold() : undefined;
  const counted = Promise.resolve(pending).then(
    (verdict) => countVerdict(signIn, verdict),
    (error: unknown) => countUndecided(signIn, request, error),
  );
  return release === undefined ? counted : counted.finally(release);
}

/** A password that an adapter has refused would be a free guess while another adapter cannot verify it. */
export function countUndecided(
  signIn: SignIn,
  { authorization, credential }: AuthenticationRequest,
  error: unknown,
): MaybePromise<Verdict> {
  const undecided = signIn.undecided(credential?.value ?? authorization[0] ?? '');
  return andThen(undecided, (seconds): Verdict => {
    if (seconds > 0) return { outcome: 'throttled', seconds };
    throw error;
  });
}

/** @param late the seconds to wait, if a limit was reached while the credentials were verified */
export function unlessLate(late: MaybePromise<number>, verdict: Verdict): MaybePromise<Verdict> {
  return andThen(late, (seconds) => (seconds > 0 ? { outcome: 'throttled', seconds } : verdict));
}
