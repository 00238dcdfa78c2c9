import type { TSchema } from '@sinclair/typebox';
import { isObject, isList, isThenable, joinTarget, Problem, type MvcEvent } from '../../../framework';
import {
  HypermediaCollection,
  HypermediaEntity,
  LinkedEntities,
  type CopyWithLinks,
  showsHypermedia,
  type HypermediaShape,
  type ResponseFormat,
} from '../../content-negotiation';
import type { EntityId } from '../definition/entity-id';
import { identifierOf } from './rest-responses';
import { createsLists, RestHandlerContext, type RestServiceContext } from './rest-service-context';

/** How hypermedia formats represent the results of an operation. */
export interface Hypermedia {
  /** Returns how the results of a schema are represented, and the schema of the wrapped content. */
  readonly represent: (schema: TSchema) => { readonly shape: HypermediaShape; readonly content: TSchema };
  /** Whether links are built from the original result, because a resource may add links. */
  readonly usesOriginalResult: boolean;
  /** Whether a resource may embed others. */
  readonly addsEmbedded: boolean;
  /** Wraps a result as a hypermedia entity or collection; returns what can have no links unchanged. */
  readonly wrap: (event: MvcEvent, result: unknown) => unknown;
}

/** Returns the schema of a response as a format shows it: with links, if the format has them. */
export function describeWithLinks(
  schema: TSchema,
  format: ResponseFormat | undefined,
  hypermedia: Pick<Hypermedia, 'represent'> | undefined,
): Readonly<Record<string, unknown>> {
  if (hypermedia === undefined || format === undefined || !showsHypermedia(format.viewModel)) return schema;
  const { content, shape } = hypermedia.represent(schema);
  return format.viewModel.describe(content, shape);
}

/** Wraps entities with a link to themselves, and pages with links to the pages around them. */
export function restHypermedia(
  serviceContext: RestServiceContext,
  part: 'collection' | 'entity',
  method: string,
): Hypermedia {
  const name = serviceContext.definition.collection_name ?? 'items';
  if (part === 'entity' || method === 'POST') {
    const { definition, resource } = serviceContext;
    const createsList = part === 'collection' && createsLists(definition, resource);
    const shape: HypermediaShape = createsList ? { kind: 'either', name } : { kind: 'entity' };
    return {
      represent: (content) => ({ content, shape }),
      usesOriginalResult: true,
      addsEmbedded: resource.embedded !== undefined,
      wrap: (event, result) =>
        createsList && isList(result)
          ? collectionOf(serviceContext, event, name, result)
          : entityOf(serviceContext, event, result),
    };
  }
  return {
    represent: (content) => ({ content, shape: { kind: 'collection', name } }),
    usesOriginalResult: true,
    addsEmbedded: serviceContext.resource.embedded !== undefined,
    wrap: (event, result) => collectionOf(serviceContext, event, name, result),
  };
}

/** @param locate builds entity paths; undefined if entities cannot be fetched */
function entityOf(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  result: unknown,
  locate = entityPaths(serviceContext, event),
): unknown {
  const given = result instanceof HypermediaEntity ? result : undefined;
  const entity: unknown = given === undefined ? result : given.content;
  if (!isObject(entity)) return result;
  const { resource } = serviceContext;
  const id = identifierOf(serviceContext, entity);
  const self = id === undefined || locate === undefined ? {} : { self: locate(id) };
  // Most resources add no links: avoid creating a context.
  if (given === undefined && resource.links === undefined && resource.embedded === undefined)
    return new HypermediaEntity(entity, { links: self });
  const context = new RestHandlerContext(event, serviceContext);
  return new HypermediaEntity(entity, {
    links: { ...self, ...notLate('links', resource.links?.(entity, context), event), ...given?.links },
    embedded: { ...notLate('embedded', resource.embedded?.(entity, context), event), ...given?.embedded },
  });
}

/** @throws TypeError for a promise, whose relations would be missing */
function notLate<Relations>(method: string, relations: Relations, { endpoint }: MvcEvent): Relations {
  if (!isThenable(relations)) return relations;
  throw new TypeError(
    `${endpoint?.name ?? ''}: ${method}() returned a promise. Return an object: read what it needs together with the entity.`,
  );
}

function entityPaths(
  serviceContext: RestServiceContext,
  event: MvcEvent,
): ((id: EntityId) => string) | undefined {
  return serviceContext.definition.entity?.GET === undefined ? undefined : serviceContext.locate?.(event);
}

function collectionOf(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  name: string,
  result: unknown,
): unknown {
  const links = { self: targetOf(event), ...event.pageLinks };
  if (result instanceof HypermediaCollection) return result.withLinks(links);
  const { [name]: listed, ...paging } =
    isObject(result) && !(result instanceof Problem) ? { ...result } : { [name]: result };
  if (!isList(listed)) return entityOf(serviceContext, event, result);
  const locate = entityPaths(serviceContext, event);
  const options = { name, links, ...(isList(result) ? {} : { paging }) };
  const copy = locate && copyOfPlain(serviceContext, event, result, name);
  if (copy !== undefined) {
    const pathOf = (entity: object): string | undefined => {
      const id = identifierOf(serviceContext, entity);
      return id === undefined ? undefined : locate?.(id);
    };
    return new LinkedEntities(listed as readonly object[], pathOf, copy, options);
  }
  return new HypermediaCollection(
    listed.map((entity) => entityOf(serviceContext, event, entity, locate)),
    options,
  );
}

/** Returns how to copy the items with their links, if they are plain objects to which the resource adds nothing. */
function copyOfPlain(
  { resource }: RestServiceContext,
  { sent }: MvcEvent,
  result: unknown,
  name: string,
): CopyWithLinks | undefined {
  if (sent === undefined || sent.value !== result) return undefined;
  if (resource.links !== undefined || resource.embedded !== undefined) return undefined;
  const copy = sent.matcher.lists.get(isList(result) ? '' : name);
  // A listener may have changed it since.
  return copy !== undefined && sent.matcher.isSentAsIs(result) ? copy() : undefined;
}

/** Path and query as requested, so that links keep the name under which the service was reached. */
export function targetOf({ request: { path, rawQuery } }: MvcEvent): string {
  return joinTarget(path, rawQuery);
}
