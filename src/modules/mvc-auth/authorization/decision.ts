import type { MaybePromise, MvcEvent } from '../../../framework';
import { isPolicyRule, permits, type AccessRule } from './access-rule';
import type { Identity } from '../identity';
import type { PolicyDecision } from './policy';

/** The rule of what a request addresses: of its endpoint, otherwise of its route, such as for documentation. */
export function ruleOf({ access, endpoint }: Pick<MvcEvent, 'access' | 'endpoint'>): AccessRule {
  return access ?? endpoint?.access ?? 'guest';
}

/**
 * Decides without asking a policy whether a rule permits an identity. Guests are refused before a policy is asked, so that
 * documentation can state that the operation requires authentication.
 * @returns undefined if the policy of the rule decides
 */
export function decideByRule(rule: AccessRule, identity: Identity): boolean | undefined {
  if (!isPolicyRule(rule)) return permits(rule, identity);
  return identity.name === null ? false : undefined;
}

/**
 * Decides whether a rule permits an identity the operation of an event.
 * @throws what the policy throws
 */
export function decide(event: MvcEvent, rule: AccessRule, identity: Identity): MaybePromise<PolicyDecision> {
  const decision = decideByRule(rule, identity);
  if (decision !== undefined || !isPolicyRule(rule)) return decision ?? false;
  const policy = event.endpoint?.policy;
  if (policy?.name === rule.policy) return policy.check(event, identity);
  throw new TypeError(
    `The policy "${rule.policy}" is not compiled for ${event.endpoint?.name ?? 'this address'}.`,
  );
}
