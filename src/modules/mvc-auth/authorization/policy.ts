import type { Log, MaybePromise, MvcEvent, Request, Services } from '../../../framework';
import type { GuardedService } from '../adapters/guards';
import type { Identity } from '../identity';

/** The operation that a policy authorizes. */
export interface PolicyOperation extends GuardedService {
  readonly part: 'collection' | 'entity' | 'rpc';
  /** GET for HEAD requests. */
  readonly method: string;
}

/** The arguments of a policy. The body is not read yet, and the query not validated. */
export interface PolicyContext {
  /** Never the guest, who is refused before. */
  readonly identity: Identity;
  readonly operation: PolicyOperation;
  /** The decoded route parameters. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: Request;
  /** The container, for lookups at request time; inject what the policy always needs. */
  readonly services: Services;
  /** Adds the request id to its lines. */
  readonly log: Log;
}

/**
 * Decides whether a user may call an operation. A module binds it to a name in its services, and a rule refers to the
 * name: `authorization: { policy: 'owner-only' }`. Throwing never permits: a Problem becomes the response, such as a 404
 * to hide a resource, anything else a 500.
 *
 * @example
 * const ownerOnly: AuthorizationPolicy = {
 *   description: 'The author of the note.',
 *   permits: ({ identity, parameters: { note_id = '' } }) =>
 *     notes.get(note_id)?.author === identity.name || 'Only the author may change a note.',
 * };
 */
export interface AuthorizationPolicy {
  /** For the documentation: which users it permits. */
  readonly description?: string;
  /** @returns true, false, or the reason for the 403 */
  permits(context: PolicyContext): MaybePromise<PolicyDecision>;
}

/** True, false, or the reason for refusing. */
export type PolicyDecision = boolean | string;

/** A policy compiled for one operation. */
export interface OperationPolicy {
  readonly name: string;
  /** Empty without one. */
  readonly description: string;
  readonly check: (event: MvcEvent, identity: Identity) => MaybePromise<PolicyDecision>;
}
