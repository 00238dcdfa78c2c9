import type { Log, MaybePromise, MvcEvent, Request, Services } from '../../framework';
import type { GuardedService } from './guards';
import type { Identity } from './identity';

/** The operation that a policy is asked about. */
export interface PolicyOperation extends GuardedService {
  readonly part: 'collection' | 'entity' | 'rpc';
  /** HEAD is asked about as GET. */
  readonly method: string;
}

/** What a policy is told. The request's body is not read yet, and its query not validated. */
export interface PolicyContext {
  /** Never the guest, who is refused before a policy is asked. */
  readonly identity: Identity;
  readonly operation: PolicyOperation;
  /** The route's parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: Request;
  /** The container, for what is known only now; what a policy always needs is injected. */
  readonly services: Services;
  /** Its lines carry the request's id. */
  readonly log: Log;
}

/**
 * Decides whether a user may call an operation. A module binds it under a name in its services, and a rule names it:
 * `authorization: { policy: 'owner-only' }`. What it throws is never access: a Problem is the answer, such as a 404
 * for what a user shall not know of, all else a 500.
 *
 * @example
 * const ownerOnly: AuthorizationPolicy = {
 *   description: 'Who has written the note.',
 *   permits: ({ identity, parameters: { note_id = '' } }) =>
 *     notes.get(note_id)?.author === identity.name || 'This is the note of somebody else.',
 * };
 */
export interface AuthorizationPolicy {
  /** Whom it lets in, in words: for the documentation. */
  readonly description?: string;
  /** @returns true, false, or why not, in words that the answer (403) tells */
  permits(context: PolicyContext): MaybePromise<PolicyDecision>;
}

/** True, false, or why not. */
export type PolicyDecision = boolean | string;

/** A policy that is made for one operation. */
export interface OperationPolicy {
  readonly name: string;
  /** Empty where it has none. */
  readonly description: string;
  /** Asks it about a request of a user. */
  readonly check: (event: MvcEvent, identity: Identity) => MaybePromise<PolicyDecision>;
}
