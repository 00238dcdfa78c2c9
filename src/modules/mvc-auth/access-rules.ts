import { nearest, StartError } from '../../framework';
import type { Identity } from './identity';
import type { AccessRule, PolicyRule, ServiceRules } from './settings';
import { DOCUMENTATION, type GuardedService } from './guards';

/** An operation that a rule is asked for. */
export interface GuardedOperation extends GuardedService {
  /** Undefined for a procedure. */
  readonly part: 'collection' | 'entity' | undefined;
  readonly method: string;
  /** What its author declared. */
  readonly declared: AccessRule | undefined;
}

/** The rule that counts for an operation. */
interface OperationRule {
  readonly rule: AccessRule;
  /** Where it is configured, for messages; undefined for one that is not. */
  readonly where: string | undefined;
}

/** Who may do what: configuration wins over what authors declare, and that over `deny_by_default`. */
export class AccessRules {
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #where: (path: readonly string[]) => string;

  /**
   * @param settings `platform-mvc-auth.authorization`, checked
   * @param where the place of a rule, for messages
   */
  constructor(settings: Readonly<Record<string, unknown>>, where: (path: readonly string[]) => string) {
    this.#settings = settings;
    this.#where = where;
  }

  /**
   * @param operations every operation that is hosted
   * @throws StartError for a rule about nothing that exists: a misspelt one would leave its operation open
   */
  assertKnown(operations: readonly Omit<GuardedOperation, 'declared'>[]): void {
    const { deny_by_default: _, [DOCUMENTATION]: __, ...rules } = this.#settings;
    this.#assertKnown(rules, namesBelow(operations), []);
  }

  #assertKnown(rules: object, known: NamesBelow, path: readonly string[]): void {
    const names = [...(known.get(JSON.stringify(path)) ?? [])];
    for (const [name, rule] of Object.entries(rules)) {
      const here = [...path, name];
      if (!names.includes(name)) {
        const meant = nearest(name, names);
        throw new StartError(
          `${this.#where(here)}: nothing of that name is hosted.` +
            `${meant === undefined ? '' : ` Did you mean "${meant}"?`} There is: ${names.join(', ') || 'none'}.`,
        );
      }
      const below: unknown = rule;
      // Where nothing stands below, it is a rule.
      if (known.has(JSON.stringify(here)) && typeof below === 'object' && below !== null)
        this.#assertKnown(below, known, here);
    }
  }

  /** Who may read the documentation. */
  ofDocumentation(): AccessRule {
    const rule = this.#settings[DOCUMENTATION];
    // The schema of the section says so.
    return rule === undefined ? 'guest' : (rule as AccessRule);
  }

  of(operation: GuardedOperation): OperationRule {
    const { api, version, declared } = operation;
    return (
      this.#configured(`${api}-v${version}`, operation) ??
      this.#configured(api, operation) ?? {
        rule: declared ?? (this.#settings.deny_by_default === true ? 'authenticated' : 'guest'),
        where: undefined,
      }
    );
  }

  #configured(key: string, { service, part, method }: GuardedOperation): OperationRule | undefined {
    // The schema of the section says so of everything but deny_by_default.
    const services = this.#settings[key] as Readonly<Record<string, ServiceRules>> | undefined;
    const rules = services?.[service];
    const path = part === undefined ? [method] : [part, method];
    const rule = part === undefined ? rules?.[method] : methodsIn(rules?.[part])?.[method];
    return isRule(rule) ? { rule, where: this.#where([key, service, ...path]) } : undefined;
  }
}

/** What rules may be about: the names that stand below each path of names, the path as JSON. */
type NamesBelow = ReadonlyMap<string, ReadonlySet<string>>;

function namesBelow(operations: readonly Omit<GuardedOperation, 'declared'>[]): NamesBelow {
  const names = new Map<string, Set<string>>();
  for (const { api, version, service, part, method } of operations) {
    for (const key of [api, `${api}-v${version}`]) {
      const path = [key, service, ...(part === undefined ? [] : [part]), method];
      for (const [at, name] of path.entries()) {
        const parent = JSON.stringify(path.slice(0, at));
        names.set(parent, (names.get(parent) ?? new Set()).add(name));
      }
    }
  }
  return names;
}

function isRule(value: ServiceRules[string] | undefined): value is AccessRule {
  return typeof value === 'string' || Array.isArray(value) || typeof value?.policy === 'string';
}

function methodsIn(
  value: ServiceRules[string] | undefined,
): Readonly<Record<string, AccessRule>> | undefined {
  return value === undefined || isRule(value) ? undefined : value;
}

/** Whether a policy decides. */
export function isPolicyRule(rule: AccessRule): rule is PolicyRule {
  return typeof rule === 'object' && !Array.isArray(rule);
}

/** Whether guests are refused. */
export function needsUser(rule: AccessRule): boolean {
  return rule !== 'guest';
}

/** Whether a user who has signed in may be refused. */
export function mayRefuseUsers(rule: AccessRule): boolean {
  return typeof rule === 'object';
}

/** What a group's name begins with in a rule: a user who is called like a group gains nothing. */
const GROUP = '@';

/** Whether a rule lets an identity pass by itself: one that asks a policy lets nobody, before that was asked. */
export function permits(rule: AccessRule, identity: Identity): boolean {
  if (rule === 'guest') return true;
  if (identity.name === null) return false;
  if (rule === 'authenticated') return true;
  if (isPolicyRule(rule)) return false;
  return rule.some((one) =>
    one.startsWith(GROUP) ? identity.groups.includes(one.slice(GROUP.length)) : one === identity.name,
  );
}
