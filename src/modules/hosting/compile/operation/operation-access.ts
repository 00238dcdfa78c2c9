import type { MaybePromise } from '../../../../framework';
import { isPolicyRule, type AccessRule, type OperationPolicy } from '../../../mvc-auth';
import type { HostedEndpoint } from '../../hosted-endpoint';
import type { ServicePart } from '../../definition/service-part';
import type { ServiceDefinition, ServiceReference } from '../../definition/definition';
import type { OperationDefinition } from '../../definition/operation-definition';
import { withTimeout } from '../../timeout';
import type { CompileContext } from '../compile-context';

/** The access options of an operation. */
export interface OperationAccess {
  /** Operation name, for messages and the log. */
  readonly name: string;
  readonly reference: ServiceReference;
  readonly part: ServicePart;
  readonly method: string;
  /** The declared rule; undefined for none. */
  readonly declared: AccessRule | undefined;
  /** The method of the same part whose configured rule applies if it has none. */
  readonly like: string | undefined;
  /** Timeout of a policy, in seconds; 0 for no limit. */
  readonly timeout: number;
}

/** The effective rule of an operation, and its policy. */
export type ResolvedAccess = Pick<HostedEndpoint, 'access' | 'policy'>;

/** The declared rule of an operation. A QUERY reads what a GET does, and has its rules unless it declares its own. */
export function accessOf(
  service: ServiceDefinition,
  part: ServicePart,
  method: string,
  { authorization: declared }: OperationDefinition,
): Pick<OperationAccess, 'declared' | 'like'> {
  if (part !== 'collection' || method !== 'QUERY' || declared !== undefined)
    return { declared, like: undefined };
  return {
    declared: 'collection' in service ? service.collection.GET?.authorization : undefined,
    like: 'GET',
  };
}

/**
 * Resolves the access rule and policy of an operation: synchronously without a policy.
 * @throws ConfigurationError for an unknown policy
 */
export function resolveAccess(
  access: OperationAccess,
  context: Pick<CompileContext, 'rules' | 'policies'>,
): MaybePromise<ResolvedAccess> {
  const { name, reference, part, method, declared, like } = access;
  const { api, version, service } = reference;
  // Without a spread, which takes V8 far longer than the members: there may be fifty thousand operations.
  const { rule, where = `${name}: authorization` } = context.rules.of({
    api,
    version,
    service,
    part: part === 'rpc' ? undefined : part,
    method,
    declared,
    like,
  });
  return isPolicyRule(rule)
    ? withPolicy(rule, where, access, context.policies)
    : { access: rule, policy: undefined };
}

async function withPolicy(
  rule: AccessRule,
  where: string,
  { name, reference, part, method, timeout }: OperationAccess,
  policies: CompileContext['policies'],
): Promise<ResolvedAccess> {
  const policy = await policies.of(rule, Object.freeze({ ...reference, part, method }), where);
  return { access: rule, policy: policy && limitPolicy(policy, timeout, name) };
}

function limitPolicy(policy: OperationPolicy, timeout: number, name: string): OperationPolicy {
  return Object.freeze({ ...policy, check: withTimeout(policy.check, timeout, name) });
}
