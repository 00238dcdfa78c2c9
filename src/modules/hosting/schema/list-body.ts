import { Type, type TSchema } from '@sinclair/typebox';
import type { RequestSchemas } from '../members/schema-variants';
import { definitionsOf, listSchema } from './list-schema';
import type { OperationSchemas } from './operation-schemas';

/** The schemas of a request body, and that to validate a list. */
export type RequestBodies = RequestSchemas & { readonly list?: TSchema };

/**
 * Lets an operation that creates an entity create several: its body is one, or a list.
 * @param maxItems maximum length of a list; undefined for no limit
 */
export function withListBody(schemas: OperationSchemas, maxItems: number | undefined): OperationSchemas {
  const { request, response } = schemas;
  if (request === null || response === null) return schemas;
  return {
    ...schemas,
    requestList: listSchema(request, { minItems: 1, ...(maxItems === undefined ? {} : { maxItems }) }),
    response: oneOrList(response, listSchema(response)),
  };
}

/** Returns the schema of one value or a list. The branches exclude each other by type. */
function oneOrList(one: TSchema, list: TSchema): TSchema {
  const { $defs: _, ...item } = one;
  const { $defs: __, ...items } = list;
  return { ...Type.Union([Type.Unsafe(item), Type.Unsafe(items)]), ...definitionsOf(one) };
}

/** Derives the schemas of a request body, of one entity or a list. @param derive derives those of one schema */
export function requestBodies(
  { request, requestList }: Pick<OperationSchemas, 'request' | 'requestList'>,
  derive: (schema: TSchema) => RequestSchemas,
): RequestBodies | null {
  if (request === null) return null;
  const one = derive(request);
  if (requestList === undefined) return one;
  const list = derive(requestList);
  return { ...one, documented: oneOrList(one.documented, list.documented), list: list.validated };
}
