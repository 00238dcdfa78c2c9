import { ConfigurationError, type Services } from '../../../framework';
import {
  createResource,
  operationHookNames,
  resolveHooks,
  type AnyResource,
  type OperationHooks,
  type RestServiceDefinition,
} from '../../hosting';
import type { TableServiceDefinition } from '../service/declaration/table-definition';
import { hookNames, type TableHooks } from './table-hooks';
import { TableResource, type AnyTableResource } from './table-resource';

type AllHooks = TableHooks & OperationHooks;

/**
 * Returns the hooks of a service, which it contains or names.
 * @param where service name, for messages
 * @throws ConfigurationError for anything but hooks
 */
export async function hooksOf(
  { hooks }: TableServiceDefinition,
  services: Services,
  where: string,
): Promise<AllHooks | undefined> {
  if (hooks === undefined) return undefined;
  return resolveHooks(hooks, [...hookNames, ...operationHookNames], services, where);
}

/** The hooks of writes, if there are any. */
export function writeHooksOf(hooks: AllHooks | undefined): TableHooks | undefined {
  return hookNames.some((name) => hooks?.[name] !== undefined) ? hooks : undefined;
}

/** The hooks of all operations, as every REST service has them. */
export function operationHooksOf(hooks: AllHooks | undefined): Pick<RestServiceDefinition, 'hooks'> {
  if (hooks === undefined) return {};
  return operationHookNames.some((name) => hooks[name] !== undefined)
    ? { hooks: onlyOperationHooks(hooks) }
    : {};
}

function onlyOperationHooks(hooks: AllHooks): OperationHooks {
  return {
    ...(hooks.before === undefined ? {} : { before: (context) => hooks.before?.(context) }),
    ...(hooks.after === undefined ? {} : { after: (result, context) => hooks.after?.(result, context) }),
    ...(hooks.onError === undefined ? {} : { onError: (error, context) => hooks.onError?.(error, context) }),
  };
}

/**
 * Lists are read by other methods as well, which must not bypass an overridden one.
 * @throws ConfigurationError for a class that overrides `fetchAll` only
 */
function assertListsOverridden(
  resource: AnyTableResource,
  { collection, nested_filters: nested }: TableServiceDefinition,
  where: string,
): AnyTableResource {
  if (!overrides(resource, 'fetchAll')) return resource;
  const { GET: get, QUERY: query } = collection ?? {};
  const stream = query?.stream;
  const used = [
    ...(get?.stream === undefined ? [] : [['streamAll', 'the "stream" of its GET', 'stream'] as const]),
    ...(query === undefined && nested !== true
      ? []
      : [['queryAll', 'its QUERY', query === undefined ? 'nested_filters' : 'QUERY'] as const]),
    ...(stream === undefined ? [] : [['streamQuery', 'the "stream" of its QUERY', 'stream'] as const]),
  ];
  const bypassed = used.find(([name]) => !overrides(resource, name));
  if (bypassed === undefined) return resource;
  const [name, what, key] = bypassed;
  throw new ConfigurationError(
    `${where}: the resource ${resource.constructor.name} overrides fetchAll, but not ${name}, which ${what} calls. Override both, or remove "${key}".`,
  );
}

/** Returns the declaration without the QUERY that it would have by default, if that bypassed an overridden list. */
export function withoutBypass(
  definition: TableServiceDefinition,
  resource: AnyTableResource,
): TableServiceDefinition {
  const isBypassed = overrides(resource, 'fetchAll') && !overrides(resource, 'queryAll');
  return isBypassed ? { ...definition, nested_filters: false } : definition;
}

/** Whether a QUERY may stream as its GET does: not if that bypassed a list that its author has overridden. */
export function streamsQueries(resource: AnyResource): boolean {
  if (!isTableResource(resource)) return true;
  const isOverridden = LISTS.some((name) => overrides(resource, name));
  return !isOverridden || overrides(resource, 'streamQuery');
}

/** The methods that read lists. */
const LISTS = ['fetchAll', 'streamAll', 'queryAll', 'streamQuery'] as const;

/** Whether the class of a resource has a method of its own. */
export function overrides(resource: AnyTableResource, name: string): boolean {
  return Reflect.get(resource, name) !== Reflect.get(TableResource.prototype, name);
}

/**
 * Returns the resource of a service: of a class with or without constructor arguments, or by name.
 * @throws ConfigurationError if it does not extend `TableResource`, or cannot be created
 */
export async function resourceOf(
  definition: TableServiceDefinition,
  services: Services,
  where: string,
): Promise<AnyTableResource | undefined> {
  const { resource } = definition;
  if (resource === undefined) return undefined;
  if (typeof resource === 'string') {
    const found = await services.getNamed(resource, isTableResource, 'a TableResource', `${where}: resource`);
    return assertListsOverridden(found, definition, where);
  }
  if (typeof resource !== 'function' || !isTableResource(resource.prototype)) {
    throw new ConfigurationError(
      `${where}: the resource of a table service has to be a class that extends TableResource, or its container name.`,
    );
  }
  return assertListsOverridden(await createResource(resource, services, where), definition, where);
}

function isTableResource(value: unknown): value is AnyTableResource {
  return value instanceof TableResource;
}
