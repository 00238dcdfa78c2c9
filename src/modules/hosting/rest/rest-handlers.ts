import { listOf, problem, ConfigurationError, type MvcEvent } from '../../../framework';
import { withPreconditions } from '../conditional/conditional-handler';
import type { OperationDefinition } from '../definition/operation-definition';
import {
  respondWithChangedCollection,
  respondWithCollection,
  respondWithQuery,
} from './collection-responses';
import { resourceMethods, type EntityPatch } from '../definition/resource';
import { QueryHandlerContext } from './query-context';
import { identifierMembers, routeIdentifiers } from './identifier';
import type { EntityId } from '../definition/entity-id';
import {
  CREATED,
  respondWithNoContent,
  notFound,
  respondWithEntity,
  respondWithCreated,
  respondWithEntityIfModified,
  respondWithReplaced,
} from './rest-responses';
import {
  idOf,
  CollectionHandlerContext,
  PatchHandlerContext,
  RestHandlerContext,
  subjectOf,
  type RestHandler,
  type RestServiceContext,
} from './rest-service-context';
import { thenUnlessTimedOut } from '../timeout';

type Part = 'collection' | 'entity';
type ResourceMethod = {
  [P in Part]: (typeof resourceMethods)[P][keyof (typeof resourceMethods)[P]];
}[Part];

/** Creates the handler of a REST operation. @throws ConfigurationError if the resource lacks a required method */
export function restHandler(
  serviceContext: RestServiceContext,
  part: Part,
  method: string,
  operation: OperationDefinition,
): RestHandler {
  const { service, resource, api, version } = serviceContext;
  const table: Readonly<Record<string, ResourceMethod>> = resourceMethods[part];
  const name = table[method];
  const declared = `The service ${service} of ${api}-v${version} declares ${part} ${method}`;
  if (name === undefined || typeof resource[name] !== 'function') {
    const required =
      name === undefined ? `one of ${Object.keys(table).join(', ')}` : `a method ${name}() of the resource`;
    throw new ConfigurationError(`${declared}, which needs ${required}.`);
  }
  // Configuration accepts the same keys for all operations.
  if (Reflect.get(operation, 'status') !== undefined) {
    throw new ConfigurationError(
      `${declared} with a status. The status of a REST operation follows from its method; only RPC methods may set one. Remove "status".`,
    );
  }
  const handler = handlers[name](serviceContext);
  if (method === 'GET' || method === 'QUERY') return handler;
  for (const required of requiredForPrecondition(part, operation)) {
    if (typeof resource[required] === 'function') continue;
    throw new ConfigurationError(
      `${declared} with precondition "required", which needs a method ${required}() of the resource.`,
    );
  }
  return withPreconditions(serviceContext, part, method, operation, handler);
}

function requiredForPrecondition(part: Part, { precondition }: OperationDefinition) {
  if (precondition === undefined) return [];
  return part === 'entity' ? (['fetch', 'revision'] as const) : (['collectionRevision'] as const);
}

const handlers: Readonly<Record<ResourceMethod, (serviceContext: RestServiceContext) => RestHandler>> = {
  fetch: (serviceContext) => (event) =>
    thenUnlessTimedOut(
      event,
      serviceContext.resource.fetch?.(
        idOf(serviceContext, event),
        new RestHandlerContext(event, serviceContext),
      ),
      (entity) => respondWithEntityIfModified(serviceContext, event, entity),
    ),

  fetchAll: (serviceContext) => (event) =>
    respondWithCollection(serviceContext, new CollectionHandlerContext(event, serviceContext)),

  queryAll: (serviceContext) => (event) =>
    respondWithQuery(serviceContext, new QueryHandlerContext(event, serviceContext)),

  create: (serviceContext) => (event) => {
    const { resource } = serviceContext;
    const context = new RestHandlerContext(event, serviceContext);
    // The resource may set another one.
    event.response.status = CREATED;
    // Validation has rejected a list for a resource that creates one entity only. `Location` can name one entity.
    return resource.createList !== undefined && Array.isArray(event.body)
      ? resource.createList(event.body, context)
      : thenUnlessTimedOut(event, resource.create?.(event.body, context), (entity) =>
          respondWithCreated(serviceContext, event, entity),
        );
  },

  update: (serviceContext) => (event) =>
    thenUnlessTimedOut(
      event,
      serviceContext.resource.update?.(
        idOf(serviceContext, event),
        event.body,
        new RestHandlerContext(event, serviceContext),
      ),
      (result) => respondWithReplaced(serviceContext, event, result),
    ),

  patch: (serviceContext) => (event) =>
    thenUnlessTimedOut(
      event,
      serviceContext.resource.patch?.(
        idOf(serviceContext, event),
        event.body,
        new PatchHandlerContext(event, serviceContext),
      ),
      (entity) => respondWithEntity(serviceContext, event, entity),
    ),

  delete: (serviceContext) => (event) =>
    thenUnlessTimedOut(
      event,
      serviceContext.resource.delete?.(
        idOf(serviceContext, event),
        new RestHandlerContext(event, serviceContext),
      ),
      (deleted) => (deleted === false ? notDeleted(serviceContext, event) : respondWithNoContent(event)),
    ),

  replaceList: (serviceContext) => (event) =>
    respondWithChangedCollection(
      serviceContext,
      event,
      serviceContext.resource.replaceList?.(
        listOf(event.body),
        new RestHandlerContext(event, serviceContext),
      ),
    ),

  patchList: (serviceContext) => (event) => {
    const patches = patchesOf(serviceContext, event);
    const context = new PatchHandlerContext(event, serviceContext, patches);
    return respondWithChangedCollection(
      serviceContext,
      event,
      serviceContext.resource.patchList?.(patches, context),
    );
  },

  deleteList: (serviceContext) => (event) =>
    thenUnlessTimedOut(
      event,
      serviceContext.resource.deleteList?.(new RestHandlerContext(event, serviceContext)),
      (deleted) => {
        if (deleted === false) throw problem('not_deleted', { what: subjectOf(serviceContext, event) });
        return respondWithNoContent(event);
      },
    ),
};

/** A failed deletion: the entity does not exist, or still exists. @throws Problem 404 or 422 */
function notDeleted(serviceContext: RestServiceContext, event: MvcEvent): unknown {
  const { resource } = serviceContext;
  const found = resource.fetch?.(idOf(serviceContext, event), new RestHandlerContext(event, serviceContext));
  return thenUnlessTimedOut(event, found, (entity) => {
    if (entity === undefined || entity === null) throw notFound(serviceContext, event);
    throw problem('not_deleted', { what: subjectOf(serviceContext, event) });
  });
}

/** Validation has rejected items without an identifier that the path does not have, or without other members. */
function patchesOf(
  { definition }: RestServiceContext,
  event: MvcEvent,
): readonly EntityPatch<unknown, EntityId>[] {
  const members = identifierMembers(definition);
  const names = routeIdentifiers(definition);
  const isSingle = typeof definition.route_identifier_name === 'string';
  return listOf(event.body).map((item) => {
    const given = Object.entries(item as object) as [string, unknown][];
    const valueOf = (name: string | undefined, at: number): string => {
      const [, value] = given.find(([member]) => member === members[at]) ?? [
        '',
        event.parameters[name ?? ''],
      ];
      return String(value);
    };
    const id = isSingle
      ? valueOf(names[0], 0)
      : Object.fromEntries(names.map((name, at) => [name, valueOf(name, at)]));
    return { id, patch: Object.fromEntries(given.filter(([name]) => !members.includes(name))) };
  });
}
