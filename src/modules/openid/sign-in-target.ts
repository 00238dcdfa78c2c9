import type { MaybePromise, MvcEvent } from '../../framework';
import type { Person } from './person';
import type { SignInFailure } from './provider/sign-in-failure';

/** A session that has started. */
interface StartedSession {
  /** The `Set-Cookie` value. */
  readonly cookie: string;
}

/** Why a user that the provider has authenticated cannot sign in here. */
interface Refusal {
  /** A sentence without HTML. */
  readonly refusal: string;
}

/** Pages that users sign in to. */
export interface SignInTarget {
  /** The path of the pages, without a slash at its end. */
  readonly path: string;
  /** Another way to sign in, e.g. with a local account. */
  readonly alternative?: { readonly label: string; readonly path: string };
  /** @throws Problem for a client that must not sign in, e.g. because of its network */
  assertAllowed?(event: MvcEvent): void;
  /** Starts the session of a user. */
  accept(event: MvcEvent, person: Person): MaybePromise<StartedSession | Refusal>;
  /** Called once for a sign-in that failed before a user was known, after the browser was sent to the provider. */
  failed?(event: MvcEvent, failure: SignInFailure): MaybePromise<void>;
}
