import { didYouMean, ConfigurationError } from '../../../framework';
import type { AccessRule } from './access-rule';
import type { ServiceRules } from './authorization-settings';
import { DOCUMENTATION, isStaticFilesKey, STATIC_FILES, type GuardedService } from '../adapters/guards';

/** An operation to authorize. */
export interface GuardedOperation extends GuardedService {
  /** Undefined for a procedure. */
  readonly part: 'collection' | 'entity' | undefined;
  readonly method: string;
  /** The rule that its author declared. */
  readonly declared: AccessRule | undefined;
  /** The method of the same part whose configured rule applies if it has none. */
  readonly like?: string | undefined;
}

/** The effective rule of an operation. */
interface OperationRule {
  readonly rule: AccessRule;
  /** Where it is configured, for messages; undefined for a declared or default rule. */
  readonly where: string | undefined;
}

/** The authorization rules. Precedence: configuration, declaration of the author, `deny_by_default`. */
export class AccessRules {
  readonly #settings: Readonly<Record<string, unknown>>;
  readonly #where: (path: readonly string[]) => string;

  /**
   * @param settings `platform-mvc-auth.authorization`, validated
   * @param where locates a rule, for messages
   */
  constructor(settings: Readonly<Record<string, unknown>>, where: (path: readonly string[]) => string) {
    this.#settings = settings;
    this.#where = where;
  }

  /**
   * @param operations all hosted operations
   * @throws ConfigurationError for a rule that names nothing hosted, as a misspelled one would leave its operation open
   */
  assertKnown(operations: readonly Omit<GuardedOperation, 'declared'>[]): void {
    const { deny_by_default: _, [DOCUMENTATION]: __, ...rules } = this.#settings;
    const ofOperations = Object.entries(rules).filter(([key]) => !isStaticFilesKey(key));
    if (ofOperations.length === 0) return;
    this.#assertKnown(Object.fromEntries(ofOperations), namesOf(operations), []);
  }

  #assertKnown(rules: object, known: Names, path: readonly string[]): void {
    for (const [name, rule] of Object.entries(rules)) {
      const here = [...path, name];
      const names = known.get(name);
      if (names === undefined) {
        const available = [...known.keys()];
        throw new ConfigurationError(
          `${this.#where(here)} does not exist.` +
            `${didYouMean(name, available)} Available: ${available.join(', ') || 'none'}.`,
        );
      }
      const below: unknown = rule;
      // A name without names below it has a rule.
      if (names.size > 0 && typeof below === 'object' && below !== null)
        this.#assertKnown(below, names, here);
    }
  }

  /** Whether the configuration has rules for operations of an API. */
  hasRulesFor(api: string): boolean {
    return Object.keys(this.#settings).some((key) => key === api || key.startsWith(`${api}-v`));
  }

  /** The rule for reading the documentation. */
  ofDocumentation(): AccessRule {
    const rule = this.#settings[DOCUMENTATION];
    // The schema of the section guarantees the type.
    return rule === undefined ? 'guest' : (rule as AccessRule);
  }

  /** The rule for reading a folder of static files. @param path at which it is served, such as `/app` */
  ofStaticFiles(path: string): AccessRule {
    const rule = this.#settings[STATIC_FILES + path] ?? this.#settings[STATIC_FILES];
    // The schema of the section guarantees the type.
    return rule === undefined ? 'guest' : (rule as AccessRule);
  }

  of(operation: GuardedOperation): OperationRule {
    const { declared, like } = operation;
    return (
      this.#configuredFor(operation) ??
      (like === undefined ? undefined : this.#configuredFor({ ...operation, method: like })) ?? {
        rule: declared ?? (this.#settings.deny_by_default === true ? 'authenticated' : 'guest'),
        where: undefined,
      }
    );
  }

  /** The rule for the version, or for all versions. */
  #configuredFor(operation: GuardedOperation): OperationRule | undefined {
    const { api, version } = operation;
    return this.#configured(`${api}-v${version}`, operation) ?? this.#configured(api, operation);
  }

  #configured(key: string, { service, part, method }: GuardedOperation): OperationRule | undefined {
    // The schema of the section guarantees the type of everything but deny_by_default.
    const services = this.#settings[key] as Readonly<Record<string, ServiceRules>> | undefined;
    const rules = services?.[service];
    const path = part === undefined ? [method] : [part, method];
    const rule = part === undefined ? rules?.[method] : methodsIn(rules?.[part])?.[method];
    return isRule(rule) ? { rule, where: this.#where([key, service, ...path]) } : undefined;
  }
}

/** The valid names of rules, each with those below it. */
class Names extends Map<string, Names> {
  /** Adds a name, unless it exists. */
  below(name: string): Names {
    const known = this.get(name) ?? new Names();
    this.set(name, known);
    return known;
  }
}

function namesOf(operations: readonly Omit<GuardedOperation, 'declared'>[]): Names {
  const names = new Names();
  for (const { api, version, service, part, method } of operations) {
    for (const key of [api, `${api}-v${version}`]) {
      const ofService = names.below(key).below(service);
      (part === undefined ? ofService : ofService.below(part)).below(method);
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
