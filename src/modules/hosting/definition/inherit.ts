import { isPlainObject, ConfigurationError } from '../../../framework';

/** A version as declared; `inherits` names its base version. */
interface DeclaredVersion {
  readonly inherits?: unknown;
  readonly schemas?: unknown;
  readonly services?: unknown;
}

type Services = Readonly<Record<string, unknown>>;

/** What a version passes on to versions that inherit it. */
interface Inherited {
  readonly schemas: Services;
  readonly services: Services;
}

/**
 * Resolves the services and shared schemas that versions inherit. A version's changes to a service replace the
 * inherited ones key by key, and operations method by method; null removes. A service of another kind replaces the
 * whole service, and a schema of the same name the whole schema.
 * @throws ConfigurationError for an unknown version, or one that inherits from itself
 */
export function resolveInheritance(
  api: Readonly<Record<PropertyKey, unknown>>,
): Readonly<Record<PropertyKey, unknown>> {
  const { name, versions } = api;
  if (!isPlainObject(versions)) return api;
  const declared = new Map(Object.entries(versions));
  const resolve = (key: string, descendants: readonly string[]): Inherited => {
    const { inherits, schemas, services } = (declared.get(key) ?? {}) as DeclaredVersion;
    const own = {
      schemas: isPlainObject(schemas) ? schemas : {},
      services: isPlainObject(services) ? services : {},
    };
    if (typeof inherits !== 'number') return own;
    const from = String(inherits);
    const where = `Version ${key} of the API ${String(name)} inherits from version ${from}`;
    if (!declared.has(from)) {
      throw new ConfigurationError(
        `${where}, which does not exist. Available: ${[...declared.keys()].join(', ')}.`,
      );
    }
    if (from === key || descendants.includes(from))
      throw new ConfigurationError(`${where}, and thereby from itself.`);
    const inherited = resolve(from, [...descendants, key]);
    return {
      schemas: { ...inherited.schemas, ...own.schemas },
      services: mergeServices(inherited.services, own.services),
    };
  };
  return {
    ...api,
    versions: Object.fromEntries(
      [...declared].map(([key, version]) => [
        key,
        isPlainObject(version) ? { ...version, ...resolve(key, []) } : version,
      ]),
    ),
  };
}

function mergeServices(inherited: Services, own: Services): Services {
  const changed = Object.entries(own).map(([name, service]): [string, unknown] => [
    name,
    mergeService(inherited[name], service),
  ]);
  return Object.fromEntries([...Object.entries(inherited), ...changed]);
}

const OPERATIONS: readonly string[] = ['collection', 'entity', 'methods'];

function mergeService(inherited: unknown, own: unknown): unknown {
  if (!isPlainObject(inherited) || !isPlainObject(own) || kindOf(own, inherited) !== kindOf(inherited))
    return own;
  const operations = OPERATIONS.flatMap((key) =>
    isPlainObject(inherited[key]) && isPlainObject(own[key])
      ? [[key, mergeOperations(inherited[key], own[key])]]
      : [],
  );
  return { ...inherited, ...own, ...Object.fromEntries(operations) };
}

function mergeOperations(inherited: Services, own: Services): Services {
  const changed = Object.entries(own).map(([method, operation]): [string, unknown] => {
    const base = inherited[method];
    return [method, isPlainObject(base) && isPlainObject(operation) ? { ...base, ...operation } : operation];
  });
  return Object.fromEntries([...Object.entries(inherited), ...changed]);
}

/** A change of an inherited service may omit its kind. */
function kindOf(service: Services, inherited?: Services): unknown {
  if (service.kind !== undefined) return service.kind;
  if ('methods' in service) return 'rpc';
  return 'resource' in service || inherited === undefined ? 'rest' : kindOf(inherited);
}
