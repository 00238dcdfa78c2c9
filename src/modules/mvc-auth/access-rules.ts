import type { Identity } from './identity';
import type { AccessRule, ServiceRules } from './settings';
import type { GuardedService } from './guards';

/** An operation that a rule is asked for. */
export interface GuardedOperation extends GuardedService {
  /** Undefined for a procedure. */
  readonly part: 'collection' | 'entity' | undefined;
  readonly method: string;
  /** What its author declared. */
  readonly declared: AccessRule | undefined;
}

/** Who may do what: configuration wins over what authors declare, and that over `deny_by_default`. */
export class AccessRules {
  readonly #settings: Readonly<Record<string, unknown>>;

  /** @param settings `platform-mvc-auth.authorization`, checked */
  constructor(settings: Readonly<Record<string, unknown>>) {
    this.#settings = settings;
  }

  of(operation: GuardedOperation): AccessRule {
    const { api, version, declared } = operation;
    return (
      this.#configured(`${api}-v${version}`, operation) ??
      this.#configured(api, operation) ??
      declared ??
      (this.#settings.deny_by_default === true ? 'authenticated' : 'guest')
    );
  }

  #configured(key: string, { service, part, method }: GuardedOperation): AccessRule | undefined {
    // The schema of the section says so of everything but deny_by_default.
    const services = this.#settings[key] as Readonly<Record<string, ServiceRules>> | undefined;
    const rules = services?.[service];
    const rule = part === undefined ? rules?.[method] : undefined;
    if (isRule(rule)) return rule;
    const methods = part === undefined ? undefined : rules?.[part];
    return methods === undefined || isRule(methods) ? undefined : methods[method];
  }
}

function isRule(value: ServiceRules[string] | undefined): value is AccessRule {
  return typeof value === 'string' || Array.isArray(value);
}

/** Whether guests are refused. */
export function needsUser(rule: AccessRule): boolean {
  return rule !== 'guest';
}

/** Whether a rule lets an identity pass. */
export function permits(rule: AccessRule, identity: Identity): boolean {
  if (rule === 'guest') return true;
  if (identity.name === null) return false;
  return rule === 'authenticated' || rule.includes(identity.name);
}
