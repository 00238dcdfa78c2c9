import { StartError } from '../../framework';
import { isPlain } from './overlay';

/** A version as it is declared: `inherits` names the version whose services it begins with. */
interface DeclaredVersion {
  readonly inherits?: unknown;
  readonly schemas?: unknown;
  readonly services?: unknown;
}

type Services = Readonly<Record<string, unknown>>;

/** What a version passes on to those that inherit it. */
interface Heritage {
  readonly schemas: Services;
  readonly services: Services;
}

/**
 * An API whose versions have the services and the shared schemas that they inherit. What a version says of a service
 * replaces that of the version before, key by key, and among operations method by method; null takes away. A service of
 * another kind replaces the whole, and so does a schema of the same name.
 * @throws StartError for a version that is not there, or that inherits from itself in the end
 */
export function withInherited(
  api: Readonly<Record<PropertyKey, unknown>>,
): Readonly<Record<PropertyKey, unknown>> {
  const { name, versions } = api;
  if (!isPlain(versions)) return api;
  const declared = new Map(Object.entries(versions));
  const resolve = (key: string, heirs: readonly string[]): Heritage => {
    const { inherits, schemas, services } = (declared.get(key) ?? {}) as DeclaredVersion;
    const own = { schemas: isPlain(schemas) ? schemas : {}, services: isPlain(services) ? services : {} };
    if (typeof inherits !== 'number') return own;
    const from = String(inherits);
    const where = `Version ${key} of the API ${String(name)} inherits from version ${from}`;
    if (!declared.has(from)) {
      throw new StartError(`${where}, which it does not have. It has: ${[...declared.keys()].join(', ')}.`);
    }
    if (from === key || heirs.includes(from)) throw new StartError(`${where}, and so from itself.`);
    const former = resolve(from, [...heirs, key]);
    return {
      schemas: { ...former.schemas, ...own.schemas },
      services: inheritedServices(former.services, own.services),
    };
  };
  return {
    ...api,
    versions: Object.fromEntries(
      [...declared].map(([key, version]) => [
        key,
        isPlain(version) ? { ...version, ...resolve(key, []) } : version,
      ]),
    ),
  };
}

function inheritedServices(former: Services, own: Services): Services {
  const changed = Object.entries(own).map(([name, service]): [string, unknown] => [
    name,
    changedService(former[name], service),
  ]);
  return Object.fromEntries([...Object.entries(former), ...changed]);
}

const OPERATIONS: readonly string[] = ['collection', 'entity', 'methods'];

function changedService(former: unknown, own: unknown): unknown {
  if (!isPlain(former) || !isPlain(own) || kindOf(own, former) !== kindOf(former)) return own;
  const operations = OPERATIONS.flatMap((key) =>
    isPlain(former[key]) && isPlain(own[key]) ? [[key, changedOperations(former[key], own[key])]] : [],
  );
  return { ...former, ...own, ...Object.fromEntries(operations) };
}

function changedOperations(former: Services, own: Services): Services {
  const changed = Object.entries(own).map(([method, operation]): [string, unknown] => {
    const before = former[method];
    return [method, isPlain(before) && isPlain(operation) ? { ...before, ...operation } : operation];
  });
  return Object.fromEntries([...Object.entries(former), ...changed]);
}

/** A change of a service need not say of what kind that is. */
function kindOf(service: Services, former?: Services): unknown {
  if (service.kind !== undefined) return service.kind;
  if ('methods' in service) return 'rpc';
  return 'resource' in service || former === undefined ? 'rest' : kindOf(former);
}
