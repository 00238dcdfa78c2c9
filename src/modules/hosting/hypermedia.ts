import { Type, type TSchema } from '@sinclair/typebox';
import { Problem, resolvedSchema, type MvcEvent, type SchemaNode } from '../../framework';
import { HypermediaCollection, HypermediaEntity, type HypermediaShape } from '../content-negotiation';
import { identifierOf } from './rest-answers';
import { RestContext, type RestSetting } from './rest-setting';

/** How the results of an operation are shown where representations have links. */
export interface Hypermedia {
  readonly shape: HypermediaShape;
  /** The schema of what is shown so, where it is not that of the result. */
  readonly content?: TSchema;
  /** A result as a hypermedia entity or collection; what can have no links stays as it is. */
  readonly of: (event: MvcEvent, result: unknown) => unknown;
}

/** Entities link to themselves, pages to those around them: nothing of it is the author's work. */
export function restHypermedia(
  setting: RestSetting,
  part: 'collection' | 'entity',
  method: string,
): Hypermedia {
  if (part === 'entity' || method === 'POST') {
    return { shape: { kind: 'entity' }, of: (event, result) => entityOf(setting, event, result) };
  }
  const name = setting.definition.collection_name ?? 'items';
  return {
    shape: { kind: 'collection', name },
    of: (event, result) => collectionOf(setting, event, name, result),
  };
}

/** The member of what a procedure's list becomes that holds the list. */
const ITEMS = 'items';

/**
 * What a procedure returns, with a link to its address. A list of objects is a collection; of anything else it is a
 * member, as only objects can be embedded (draft-kelly-json-hal-11, 4.1.2).
 * @param response the schema of what it returns; null where none is declared
 */
export function rpcHypermedia(response: TSchema | null): Hypermedia {
  const declared =
    response?.type === 'array' && response.items !== undefined
      ? resolvedSchema(response, response.items)
      : undefined;
  const isPlain = hasPlainType(declared);
  return {
    ...(response === null || !isPlain ? {} : { content: plainList(response) }),
    shape: declared === undefined || isPlain ? { kind: 'entity' } : { kind: 'collection', name: ITEMS },
    of: (event, result) => {
      const links = { self: targetOf(event) };
      if (result instanceof HypermediaEntity || result instanceof HypermediaCollection)
        return result.withLinks(links);
      if (isList(result)) {
        return isPlain || !result.every(isObject)
          ? new HypermediaEntity({ [ITEMS]: result, total_items: result.length }, { links })
          : new HypermediaCollection(result, { name: ITEMS, links });
      }
      return isObject(result) ? new HypermediaEntity(result, { links }) : result;
    },
  };
}

function hasPlainType(schema: SchemaNode | undefined): boolean {
  return typeof schema?.type === 'string' && schema.type !== 'object';
}

function plainList(list: TSchema): TSchema {
  const { $defs: definitions, ...items }: SchemaNode = list;
  return Type.Object(
    { [ITEMS]: Type.Unsafe(items), total_items: Type.Integer({ description: 'Items there are.' }) },
    definitions === undefined ? {} : { $defs: definitions },
  );
}

/** @param locate the paths of entities; undefined where nothing can be fetched: a link would lead nowhere */
function entityOf(
  setting: RestSetting,
  event: MvcEvent,
  result: unknown,
  locate = entityPaths(setting, event),
): unknown {
  const given = result instanceof HypermediaEntity ? result : undefined;
  const entity: unknown = given === undefined ? result : given.content;
  if (!isObject(entity)) return result;
  const { resource } = setting;
  const id = identifierOf(setting, entity);
  const self = id === undefined || locate === undefined ? {} : { self: locate(id) };
  // Most resources have nothing to add: no context is made for them.
  if (given === undefined && resource.links === undefined && resource.embedded === undefined)
    return new HypermediaEntity(entity, { links: self });
  const context = new RestContext(event, setting);
  return new HypermediaEntity(entity, {
    links: { ...self, ...resource.links?.(entity, context), ...given?.links },
    embedded: { ...resource.embedded?.(entity, context), ...given?.embedded },
  });
}

function entityPaths(setting: RestSetting, event: MvcEvent): ((id: string) => string) | undefined {
  return setting.definition.entity?.GET === undefined ? undefined : setting.locate(event);
}

function collectionOf(setting: RestSetting, event: MvcEvent, name: string, result: unknown): unknown {
  const links = { self: targetOf(event), ...event.pageLinks };
  if (result instanceof HypermediaCollection) return result.withLinks(links);
  const { [name]: listed, ...paging } = isObject(result) ? { ...result } : { [name]: result };
  if (!isList(listed)) return entityOf(setting, event, result);
  const locate = entityPaths(setting, event);
  return new HypermediaCollection(
    listed.map((entity) => entityOf(setting, event, entity, locate)),
    { name, links, ...(isList(result) ? {} : { paging }) },
  );
}

/** Path and query as they came: under which name the service was reached is not in it. */
function targetOf({ request: { path, rawQuery } }: MvcEvent): string {
  return rawQuery === '' ? path : `${path}?${rawQuery}`;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Problem);
}
