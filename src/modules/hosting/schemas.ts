import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import { isSchema, StartError } from '../../framework';
import type { RestServiceDefinition } from './definition';
import type { CollectionOperationDefinition, OperationDefinition } from './operation-definition';
import { identifierNameOf } from './rest-setting';
import { assertFree } from './free-names';
import { memberOf, withMember } from './members';
import { withPaging, type Paging } from './paging';
import { patchOf } from './patch-schema';
import { sortParameter } from './sort';

/** What a REST operation takes and answers, as schemas; null where there is no body. */
export interface OperationSchemas {
  readonly request: TSchema | null;
  readonly response: TSchema | null;
  readonly query: TObject;
  /** Which pages its query asks for; undefined where it comes as a whole. */
  readonly paging?: Paging | undefined;
}

const noQuery = Type.Object({}, { additionalProperties: false });

/**
 * The query parameters of an operation: others than those declared are refused.
 * @param where names the operation, for the message
 * @throws StartError for a schema that does not name them: configuration and JavaScript may have any
 */
export function queryOf({ query }: OperationDefinition, where: string): TObject {
  if (query === undefined) return noQuery;
  if (isSchema(query.properties)) return { ...query, additionalProperties: false };
  throw new StartError(
    `${where}: its query names no parameters. Declare it with Type.Object({ … }), a JSON Schema that has "properties".`,
  );
}

/**
 * @param where names the service, for messages
 * @throws StartError for a query or a patch that cannot be made of what is declared
 */
export function restSchemas(
  service: RestServiceDefinition,
  part: 'collection' | 'entity',
  method: string,
  operation: CollectionOperationDefinition,
  paging: Paging | undefined,
  where: string,
): OperationSchemas {
  const named = `${where}: ${part} ${method}`;
  const query = queryOf(operation, named);
  const entity = operation.response ?? service.fields;
  const input = operation.fields ?? service.input ?? service.fields;
  if (part === 'collection' && (method === 'PUT' || method === 'PATCH')) {
    const item = method === 'PUT' ? input : itemPatch(service, input, named);
    return { request: listOf(item), response: operation.response ?? listOf(service.fields), query };
  }
  if (part === 'collection' && method === 'GET') {
    // What is described is one item, as it goes out.
    const sorted = withSort(query, operation, named);
    if (operation.stream !== undefined) return { request: null, response: entity, query: sorted };
    const paged = paging === undefined ? sorted : withPaging(sorted, paging, named);
    return {
      request: null,
      response: operation.response ?? collectionOf(service, paging),
      query: paged,
      paging,
    };
  }
  switch (method) {
    case 'POST':
    case 'PUT':
      return { request: input, response: entity, query };
    case 'PATCH':
      return { request: entityPatch(input, named), response: entity, query };
    case 'DELETE':
      return { request: null, response: null, query };
    default:
      return { request: null, response: entity, query };
  }
}

/** @throws StartError for a schema that no patch can be made of */
function entityPatch(input: TSchema, where: string): TSchema {
  const patch = patchOf(input);
  if (patch !== undefined) return patch;
  throw new StartError(
    `${where}: no merge patch can be made of its fields, which do not say which members an entity has. ` +
      'Declare them with Type.Object, or with Type.Intersect or Type.Union of such; or take PATCH away.',
  );
}

/** A patch of one entity among others names it. */
function itemPatch(service: RestServiceDefinition, input: TSchema, where: string): TSchema {
  const name = identifierNameOf(service);
  const identifier = memberOf(service.fields, name) ?? memberOf(input, name) ?? Type.String();
  return { ...withMember(entityPatch(input, where), name, identifier), required: [name] };
}

/** @throws StartError where it has a parameter of that name: one would stand for two things */
function withSort(
  query: TObject,
  { sort = [], default_sort: standard }: CollectionOperationDefinition,
  where: string,
): TObject {
  if (sort.length === 0) return query;
  assertFree(query, ['sort'], where, 'is the order here, as the operation has a "sort"');
  return { ...query, properties: { ...query.properties, sort: sortParameter(sort, standard) } };
}

function collectionOf(service: RestServiceDefinition, paging: Paging | undefined): TSchema {
  if (paging === undefined) return listOf(service.fields);
  const items = Type.Array(service.fields);
  const definitions = definitionsOf(service.fields);
  if (paging.byCursor) return { ...cursorCollectionOf(service, items, paging), ...definitions };
  return Type.Object(
    {
      [service.collection_name ?? 'items']: items,
      page: Type.Integer({ description: 'This page, from 1.', examples: [1] }),
      page_size: Type.Integer({ description: 'Entities on a page.', examples: [paging.size] }),
      page_count: Type.Integer({ description: 'Pages there are.', examples: [1] }),
      total_items: Type.Integer({ description: 'Entities on all pages together.', examples: [1] }),
    },
    definitions,
  );
}

function listOf(item: TSchema): TSchema {
  return Type.Array(item, definitionsOf(item));
}

/** What `#/$defs/…` within a schema means has to stand at the root of what the schema becomes a part of, too. */
function definitionsOf({ $defs }: TSchema): { readonly $defs?: unknown } {
  return $defs === undefined ? {} : { $defs };
}

function cursorCollectionOf(service: RestServiceDefinition, items: TSchema, { size }: Paging): TSchema {
  const cursor = (description: string): TSchema => Type.Union([Type.String(), Type.Null()], { description });
  return Type.Object({
    [service.collection_name ?? 'items']: items,
    page_size: Type.Integer({ description: 'Entities on a page.', examples: [size] }),
    next_cursor: cursor('Where the next page goes on; null when there is none.'),
    previous_cursor: cursor('Where the page before is; null when there is none, or no way back.'),
  });
}
