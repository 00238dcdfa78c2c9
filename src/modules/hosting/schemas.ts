import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import type { RestServiceDefinition } from './definition';
import type { CollectionOperationDefinition, OperationDefinition } from './operation-definition';
import { identifierNameOf } from './rest-setting';
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

/** The query parameters of an operation: others than those declared are refused. */
export function queryOf(operation: OperationDefinition): TObject {
  return operation.query === undefined ? noQuery : { ...operation.query, additionalProperties: false };
}

export function restSchemas(
  service: RestServiceDefinition,
  part: 'collection' | 'entity',
  method: string,
  operation: CollectionOperationDefinition,
  paging: Paging | undefined,
): OperationSchemas {
  const query = queryOf(operation);
  const entity = operation.response ?? service.fields;
  const input = operation.fields ?? service.input ?? service.fields;
  if (part === 'collection' && (method === 'PUT' || method === 'PATCH')) {
    const item = method === 'PUT' ? input : itemPatch(service, input);
    return { request: Type.Array(item), response: operation.response ?? Type.Array(service.fields), query };
  }
  if (part === 'collection' && method === 'GET') {
    // What is described is one item, as it goes out.
    if (operation.stream !== undefined)
      return { request: null, response: entity, query: withSort(query, operation) };
    const sorted = withSort(query, operation);
    const paged = paging === undefined ? sorted : withPaging(sorted, paging);
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
      return { request: patchOf(input), response: entity, query };
    case 'DELETE':
      return { request: null, response: null, query };
    default:
      return { request: null, response: entity, query };
  }
}

/** A patch of one entity among others names it, and changes something. */
function itemPatch(service: RestServiceDefinition, input: TObject): TSchema {
  const name = identifierNameOf(service);
  const patch = patchOf(input);
  const identifier = service.fields.properties[name] ?? input.properties[name] ?? Type.String();
  return {
    ...patch,
    minProperties: 2,
    required: [name],
    properties: { ...patch.properties, [name]: identifier },
  };
}

function withSort(
  query: TObject,
  { sort = [], default_sort: standard }: CollectionOperationDefinition,
): TObject {
  if (sort.length === 0) return query;
  return Type.Object(
    { ...query.properties, sort: sortParameter(sort, standard) },
    { additionalProperties: false },
  );
}

function collectionOf(service: RestServiceDefinition, paging: Paging | undefined): TSchema {
  const items = Type.Array(service.fields);
  if (paging === undefined) return items;
  if (paging.byCursor) return cursorCollectionOf(service, items, paging);
  return Type.Object({
    [service.collection_name ?? 'items']: items,
    page: Type.Integer({ description: 'This page, from 1.', examples: [1] }),
    page_size: Type.Integer({ description: 'Entities on a page.', examples: [paging.size] }),
    page_count: Type.Integer({ description: 'Pages there are.', examples: [1] }),
    total_items: Type.Integer({ description: 'Entities on all pages together.', examples: [1] }),
  });
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
