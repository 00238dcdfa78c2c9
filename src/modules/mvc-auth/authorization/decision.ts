import type { MaybePromise, MvcEvent } from '../../../framework';
import { isPolicyRule, permits } from './access-rule';
import type { Identity } from '../identity';
import type { PolicyDecision } from './policy';
import type { AccessRule } from './access-rule';

/**
 * Decides whether a rule permits an identity the operation of an event. Guests are refused without asking a policy, so
 * that documentation can state that the operation requires authentication.
 * @throws what the policy throws
 */
export function decide(event: MvcEvent, rule: AccessRule, identity: Identity): MaybePromise<PolicyDecision> {
  if (!isPolicyRule(rule)) return permits(rule, identity);
  if (identity.name === null) return false;
  const policy = event.endpoint?.policy;
  if (policy?.name === rule.policy) return policy.check(event, identity);
  throw new TypeError(
    `The policy "${rule.policy}" is not compiled for ${event.endpoint?.name ?? 'this address'}.`,
  );
}
