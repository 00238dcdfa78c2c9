import { Problem } from '../../../framework';
import type { AccessRule } from './access-rule';
import type { AuthenticationAdapter, RequestOrigin } from '../adapters/adapter';
import type { Guard } from '../adapters/guard';
import { isAlwaysGuest } from '../authentication/authentication';
import { decideByRule } from './decision';
import { guest, type Identity } from '../identity';
import { refusalOf } from './refusal';

/** Who would send a request. */
export interface AssumedClient {
  readonly identity: Identity;
  /** Whose credentials the request would have; undefined for any adapter of the guard. */
  readonly adapter: AuthenticationAdapter | undefined;
  readonly origin: RequestOrigin;
}

/** What a request would address. */
export interface AccessTarget {
  readonly method: string;
  readonly guard: Guard | undefined;
  readonly rule: AccessRule;
}

/** How a request would be identified. */
type Identification =
  /** Without credentials. */
  | 'guest'
  /** Requests with the method are always the guest's. */
  | 'always guest'
  /** Its credentials are not read: the request is the guest's. */
  | 'ignored'
  /** Its credentials are read, and no adapter of the guard accepts them. */
  | 'refused'
  /** Its origin may not use any adapter of the guard. */
  | 'unreachable'
  /** An adapter verifies its credentials. */
  | 'verified'
  /** A listener of a module may identify it. */
  | 'custom';

/** What would happen to a request, and why. */
export interface AccessEvaluation {
  readonly identification: Identification;
  /** Who the request would be of. */
  readonly identity: Identity;
  /** Whether the rule permits it; undefined if a policy decides, or it is refused before. */
  readonly decision: boolean | undefined;
  /** The response to a refused request; otherwise undefined. */
  readonly problem: Problem | undefined;
}

/**
 * Evaluates what authentication and authorization would decide about a request, with the functions that decide it, and
 * without its credentials. Listeners of modules and policies are not asked.
 *
 * @param hasCustomAuthentication whether listeners of modules identify requests, too
 */
export function evaluateAccess(
  { method, guard, rule }: AccessTarget,
  client: AssumedClient,
  hasCustomAuthentication: boolean,
): AccessEvaluation {
  const reachable = guard?.reachableFrom(client.origin);
  if (reachable instanceof Problem) return refusedBefore('unreachable', reachable);
  const identification = identify(method, reachable, client, hasCustomAuthentication);
  if (identification === 'refused') return refusedBefore(identification, reachable?.unauthorized());
  const isVerified = identification === 'verified';
  const identity = isVerified || identification === 'custom' ? client.identity : guest;
  const decision = decideByRule(rule, identity);
  return {
    identification,
    identity,
    decision,
    problem:
      decision === false ? refusalOf({ guard: reachable, rule, identity, isVerified }, false) : undefined,
  };
}

function refusedBefore(identification: Identification, problem: Problem | undefined): AccessEvaluation {
  return { identification, identity: guest, decision: undefined, problem };
}

function identify(
  method: string,
  guard: Guard | undefined,
  { identity, adapter }: AssumedClient,
  hasCustomAuthentication: boolean,
): Identification {
  if (isAlwaysGuest(method)) return 'always guest';
  if (identity.isGuest) return 'guest';
  if (guard === undefined) return hasCustomAuthentication ? 'custom' : 'ignored';
  const isOwn = adapter === undefined || guard.adapters.some(({ name }) => name === adapter.name);
  if (isOwn) return 'verified';
  return guard.readsCredentialsOf(adapter) ? 'refused' : 'ignored';
}
