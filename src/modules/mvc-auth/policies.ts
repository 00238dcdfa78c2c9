import { isThenable, type MaybePromise, type Services } from '../../framework';
import { isPolicyRule } from './access-rules';
import type { AuthorizationPolicy, OperationPolicy, PolicyDecision, PolicyOperation } from './policy';
import type { AccessRule } from './settings';

/** Finds the policies that rules name among the services. */
export class Policies {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * The policy of an operation.
   * @param where the place of the rule, for messages
   * @returns undefined for a rule that names none
   * @throws StartError for a name that no module binds, or that stands for something else
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
      'an authorization policy, which is an object with a method permits(), and perhaps a description, a text';
    const policy = await services.named(name, isPolicy, kind, where);
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
 * What plain JavaScript may return is no decision: taken for a yes, it would let in whoever comes, and taken for a no,
 * nobody would be told what is wrong. A thenable may be no promise, whose `then` returns nothing.
 * @throws TypeError
 */
function decisionOf(decision: unknown, policy: string): MaybePromise<PolicyDecision> {
  if (isThenable(decision)) return Promise.resolve(decision).then((settled) => decisionOf(settled, policy));
  if (typeof decision === 'boolean') return decision;
  if (typeof decision === 'string') return decision === '' ? false : decision;
  throw new TypeError(
    `The policy "${policy}" returned ${decision === null ? 'null' : typeof decision}; it returns true, false, or why not as a text.`,
  );
}
