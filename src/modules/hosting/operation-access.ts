import type { AccessRule, OperationPolicy } from '../mvc-auth';
import type { HostedEndpoint, Part } from './hosted-endpoint';
import type { Place } from './place';
import { timed } from './timeout';
import type { Tools } from './tools';

/** What an operation says of who may call it. */
interface Guarded {
  /** Of the operation, for messages and the log. */
  readonly name: string;
  readonly place: Place;
  readonly part: Part;
  readonly method: string;
  /** What is declared for it; undefined for nothing. */
  readonly declared: AccessRule | undefined;
  /** Seconds that a policy may take; 0 for no limit. */
  readonly timeout: number;
}

/** Who may call an operation. @throws StartError for a policy that there is not */
export async function accessOf(
  { name, place, part, method, declared, timeout }: Guarded,
  { rules, policies }: Pick<Tools, 'rules' | 'policies'>,
): Promise<Pick<HostedEndpoint, 'access' | 'policy'>> {
  const { rule, where = `${name}: authorization` } = rules.of({
    ...place,
    part: part === 'rpc' ? undefined : part,
    method,
    declared,
  });
  const policy = await policies.of(rule, Object.freeze({ ...place, part, method }), where);
  return { access: rule, policy: policy && inTime(policy, timeout, name) };
}

function inTime(policy: OperationPolicy, timeout: number, name: string): OperationPolicy {
  return Object.freeze({ ...policy, check: timed(policy.check, timeout, name) });
}
