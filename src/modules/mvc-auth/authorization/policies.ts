import { isThenable, type MaybePromise, type Services } from '../../../framework';
import { isPolicyRule } from './access-rule';
import type { AuthorizationPolicy, OperationPolicy, PolicyDecision, PolicyOperation } from './policy';
import type { AccessRule } from './access-rule';

/** Resolves the policies that rules name from the container. */
export class Policies {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * @param where locates the rule, for messages
   * @returns undefined for a rule without a policy
   * @throws ConfigurationError for a name that no module binds to a policy
   */
  async of(
    rule: AccessRule,
    operation: PolicyOperation,
    where: string,
  ): Promise<OperationPolicy | undefined> {
    if (!isPolicyRule(rule)) return undefined;
    const { policy: name } = rule;
    const services = this.#services;
    const kind =
      'an authorization policy: an object with a method permits() and an optional string description';
    const policy = await services.getNamed(name, isPolicy, kind, where);
    return Object.freeze({
      name,
      description: policy.description ?? '',
      check: (event, identity) => {
        const { request, parameters, log } = event;
        const context = { identity, operation, parameters, request, services, log };
        return decisionOf(policy.permits(context), name);
      },
    } satisfies OperationPolicy);
  }
}

function isPolicy(service: unknown): service is AuthorizationPolicy {
  if (typeof service !== 'object' || service === null) return false;
  const description: unknown = Reflect.get(service, 'description');
  return (
    typeof Reflect.get(service, 'permits') === 'function' &&
    (description === undefined || typeof description === 'string')
  );
}

/**
 * Validates what a policy in plain JavaScript returns: treating anything else as true would open the operation, and as
 * false would hide the mistake. A thenable need not be a promise.
 * @throws TypeError
 */
function decisionOf(decision: unknown, policy: string): MaybePromise<PolicyDecision> {
  if (isThenable(decision)) return Promise.resolve(decision).then((settled) => decisionOf(settled, policy));
  if (typeof decision === 'boolean') return decision;
  if (typeof decision === 'string') return decision === '' ? false : decision;
  throw new TypeError(
    `The policy "${policy}" returned ${decision === null ? 'null' : typeof decision}; return true, false or a string with the reason.`,
  );
}
