import type { MaybePromise, MvcEvent } from '../../framework';
import { isPolicyRule, permits } from './access-rules';
import type { Identity } from './identity';
import type { PolicyDecision } from './policy';
import type { AccessRule } from './settings';

/**
 * Whether a rule lets an identity do what an event is about. Guests are no matter of a policy, so that the
 * documentation can tell for certain that one has to sign in.
 * @throws what the policy throws
 */
export function decide(event: MvcEvent, rule: AccessRule, identity: Identity): MaybePromise<PolicyDecision> {
  if (!isPolicyRule(rule)) return permits(rule, identity);
  if (identity.name === null) return false;
  const policy = event.endpoint?.policy;
  if (policy?.name === rule.policy) return policy.check(event, identity);
  throw new TypeError(
    `The policy "${rule.policy}" was not made for ${event.endpoint?.name ?? 'this address'}.`,
  );
}
