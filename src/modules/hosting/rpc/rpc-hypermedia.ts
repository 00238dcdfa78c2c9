import { Type, type TSchema } from '@sinclair/typebox';
import { dereference, isList, isObject, listOf, type SchemaNode } from '../../../framework';
import { HypermediaCollection, HypermediaEntity } from '../../content-negotiation';
import { declarationOf } from '../../content-validation';
import type { StatusDefinition } from '../definition/operation-definition';
import { targetOf, type Hypermedia } from '../rest/hypermedia';

/** The member that holds the list a procedure returns. */
const ITEMS = 'items';

/**
 * Wraps the result of a procedure with a link to its URL. A list of objects becomes a collection; a list whose items may
 * be other values becomes a member, as only objects can be embedded (draft-kelly-json-hal-11, 4.1.2). Objects that may be
 * null are a collection, whatever of them is null.
 * @param response schema of the usual response; null for none
 * @param statuses the others, perhaps with schemas of their own
 */
export function rpcHypermedia(
  response: TSchema | null,
  statuses: readonly StatusDefinition[] = [],
): Hypermedia {
  const isUsuallyScalar = response !== null && isScalarList(response);
  const isScalar = new Map(
    statuses.map(({ code, response: own }) => [code, own === undefined ? undefined : isScalarList(own)]),
  );
  return {
    represent: representProcedure,
    usesOriginalResult: false,
    addsEmbedded: false,
    wrap: (event, result) => {
      const links = { self: targetOf(event) };
      if (result instanceof HypermediaEntity || result instanceof HypermediaCollection)
        return result.withLinks(links);
      if (isList(result)) {
        const hasScalarItems = isScalar.get(event.response.status) ?? isUsuallyScalar;
        return hasScalarItems || !result.every(isObjectOrNull)
          ? new HypermediaEntity({ [ITEMS]: result, total_items: result.length }, { links })
          : new HypermediaCollection(result, { name: ITEMS, links });
      }
      return isObject(result) ? new HypermediaEntity(result, { links }) : result;
    },
  };
}

function isObjectOrNull(item: unknown): boolean {
  return item === null || isObject(item);
}

function representProcedure(response: TSchema): ReturnType<Hypermedia['represent']> {
  if (isScalarList(response)) return { content: scalarListSchema(response), shape: { kind: 'entity' } };
  return {
    content: response,
    shape: isListSchema(response) ? { kind: 'collection', name: ITEMS } : { kind: 'entity' },
  };
}

function isListSchema({ type, items }: TSchema): boolean {
  return type === 'array' && items !== undefined;
}

/** Whether a schema is that of a list whose items may be other values than objects and null, such as texts. */
function isScalarList(schema: TSchema): boolean {
  return isListSchema(schema) && mayBeScalar(schema, schema.items);
}

/** Levels of unions that are followed: definitions may be recursive. */
const MAX_DEPTH = 8;

function mayBeScalar(root: TSchema, part: unknown, depth = 0): boolean {
  const { type, anyOf, oneOf } = dereference(root, part);
  if (type !== undefined) return [type].flat().some((one) => one !== 'object' && one !== 'null');
  const branches = [anyOf, oneOf].flatMap(listOf);
  return branches.length > 0 && depth < MAX_DEPTH
    ? branches.some((branch) => mayBeScalar(root, branch, depth + 1))
    : declarationOf(root, part) === 'none';
}

function scalarListSchema(list: TSchema): TSchema {
  const { $defs: definitions, ...items }: SchemaNode = list;
  return Type.Object(
    { [ITEMS]: Type.Unsafe(items), total_items: Type.Integer({ description: 'Number of items.' }) },
    definitions === undefined ? {} : { $defs: definitions },
  );
}
