import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import type { OperationDefinition, RestServiceDefinition } from './definition';
import { withPaging, type Paging } from './paging';

/** What a REST operation takes and answers, as schemas; null where there is no body. */
export interface OperationSchemas {
  readonly request: TSchema | null;
  readonly response: TSchema | null;
  readonly query: TObject;
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
  operation: OperationDefinition,
  paging: Paging | undefined,
): OperationSchemas {
  const query = queryOf(operation);
  const entity = operation.response ?? service.fields;
  const input = operation.fields ?? service.input ?? service.fields;
  if (part === 'collection' && method === 'GET') {
    const paged = paging === undefined ? query : withPaging(query, paging);
    return { request: null, response: operation.response ?? collectionOf(service, paging), query: paged };
  }
  switch (method) {
    case 'POST':
    case 'PUT':
      return { request: input, response: entity, query };
    case 'PATCH':
      return { request: withoutRequired(input), response: entity, query };
    case 'DELETE':
      return { request: null, response: null, query };
    default:
      return { request: null, response: entity, query };
  }
}

/** A patch says only what changes. */
function withoutRequired(schema: TObject): TSchema {
  const { required, ...rest } = schema;
  return { ...rest, minProperties: 1 };
}

function collectionOf(service: RestServiceDefinition, paging: Paging | undefined): TSchema {
  const items = Type.Array(service.fields);
  if (paging === undefined) return items;
  return Type.Object({
    [service.collection_name ?? 'items']: items,
    page: Type.Integer({ description: 'This page, from 1.', examples: [1] }),
    page_size: Type.Integer({ description: 'Entities on a page.', examples: [paging.size] }),
    page_count: Type.Integer({ description: 'Pages there are.', examples: [1] }),
    total_items: Type.Integer({ description: 'Entities on all pages together.', examples: [1] }),
  });
}
