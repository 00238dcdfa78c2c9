import { problem, type MvcEvent, type Problem } from '../../../framework';
import { scopesIn, type AccessRule } from './access-rule';
import type { Guard } from '../adapters/guard';
import { withParameters } from '../http/challenge-parameters';
import type { Identity } from '../identity';

/** A request that a rule does not permit. */
interface RefusedRequest {
  readonly guard: Guard | undefined;
  readonly rule: AccessRule;
  readonly identity: Identity;
  /** Whether an adapter has verified credentials of the request. */
  readonly isVerified: boolean;
}

/**
 * Returns the problem of a request that a rule does not permit: 401 with the challenges for guests, 403 for users.
 * @param reason that a policy gave
 */
export function refusalOf(refused: RefusedRequest, reason: string | false): Problem {
  if (refused.identity.isGuest) return guestRefusal(refused);
  if (reason !== false) return problem('forbidden_by_policy', { reason });
  const scopes = missingScopes(refused);
  return problem('forbidden', { scopes }, { fields: insufficientScope(refused.guard, scopes) });
}

/** The scopes of the rule, for a user whose token or key has none of them; empty where credentials have no scopes. */
function missingScopes({ guard, isVerified, rule }: RefusedRequest): readonly string[] {
  const haveScopes = guard?.locations !== undefined || (guard?.adaptersFor('bearer').length ?? 0) > 0;
  return isVerified && haveScopes ? [...new Set(scopesIn(rule))] : [];
}

/** The challenges of Bearer adapters for a user whose token has none of the scopes of a rule (RFC 6750, 3.1). */
function insufficientScope(
  guard: Guard | undefined,
  scopes: readonly string[],
): readonly (readonly [string, string])[] {
  if (guard === undefined || scopes.length === 0) return [];
  const challenges = guard.adaptersFor('bearer').flatMap((adapter) =>
    withParameters(
      adapter.challenges(false).filter((challenge) => /^bearer(?: |$)/i.test(challenge)),
      { error: 'insufficient_scope', scope: scopes.join(' ') },
    ),
  );
  return challenges.map((challenge) => ['WWW-Authenticate', challenge] as const);
}

/** The problem of an operation that guests may not use: 401 with the challenges, or 403 if nobody can sign in. */
export function guestRefusal({ guard }: Pick<MvcEvent, 'guard'>): Problem {
  return guard?.unauthorized() ?? problem('forbidden_to_guests', {});
}
