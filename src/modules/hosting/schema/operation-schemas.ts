import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import { isSchema, ConfigurationError, parsePattern, type SchemaNode } from '../../../framework';
import type { RestServiceDefinition } from '../definition/definition';
import type { CollectionOperationDefinition, OperationDefinition } from '../definition/operation-definition';
import { identifierMembers, routeIdentifiers } from '../rest/identifier';
import { assertNotReserved } from '../definition/checks/reserved-names';
import { definitionsOf, listSchema } from './list-schema';
import { memberSchema, withMember } from './member-schema';
import { optionalDefaults } from '../members/schema-variants';
import { queryBodySchema } from './query-body';
import { withPaging, type Paging } from '../rest/paging';
import { mergePatchSchema } from './patch/patch-schema';
import { sortParameter } from '../rest/sort';

/** The schemas of a REST operation; null for no body. */
export interface OperationSchemas {
  readonly request: TSchema | null;
  /** The schema of a list of entities, if the body may be one instead. */
  readonly requestList?: TSchema;
  readonly response: TSchema | null;
  readonly query: TObject;
  /** Pagination; undefined if the collection is not paged. */
  readonly paging?: Paging | undefined;
  /** Members that the platform adds to a declared response. */
  readonly added?: readonly string[];
  /** Whether the body is a query: not an entity, and never reduced to what is declared. */
  readonly isQuery?: boolean;
}

const noQuery = Type.Object({}, { additionalProperties: false });

/**
 * Returns the query schema of an operation; undeclared parameters are rejected.
 * @param where operation name, for the message
 * @throws ConfigurationError for a schema without `properties`, which configuration and JavaScript allow, and for an object as
 *   a parameter
 */
export function querySchemaOf({ query }: OperationDefinition, where: string): TObject {
  if (query === undefined) return noQuery;
  if (isSchema(query.properties)) {
    const unsendable = Object.entries(query.properties).find(([, parameter]) => isObjectParameter(parameter));
    if (unsendable === undefined) return { ...optionalDefaults(query), additionalProperties: false };
    throw new ConfigurationError(
      `${where}: its query parameter "${unsendable[0]}" is an object, which the text of a query cannot be. Declare a parameter for each member, such as "${unsendable[0]}.name", or use a body.`,
    );
  }
  throw new ConfigurationError(
    `${where}: its query declares no parameters. Use Type.Object({ … }), a JSON Schema with "properties".`,
  );
}

/** Whether a schema of a query parameter accepts objects only, or lists of them: clients cannot send any. */
function isObjectParameter(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  return schema.type === 'object' || (schema.type === 'array' && isObjectParameter(schema.items));
}

/**
 * Derives the schemas of a REST operation.
 * @param where service name, for messages
 * @throws ConfigurationError for an invalid query, or a schema that cannot be patched
 */
export function restSchemas(
  service: RestServiceDefinition,
  part: 'collection' | 'entity',
  method: string,
  operation: CollectionOperationDefinition,
  paging: Paging | undefined,
  where: string,
): OperationSchemas {
  const operationName = `${where}: ${part} ${method}`;
  const query = querySchemaOf(operation, operationName);
  const entity = operation.response ?? service.fields;
  const input = operation.fields ?? service.input ?? service.fields;
  if (part === 'collection' && (method === 'PUT' || method === 'PATCH')) {
    const item = method === 'PUT' ? input : itemPatch(service, input, operationName);
    const { max_items: maxItems } = service;
    const request = listSchema(item, maxItems === undefined ? {} : { maxItems });
    return { request, response: operation.response ?? listSchema(service.fields), query };
  }
  if (part === 'collection' && method === 'GET') {
    // The response of a stream describes one item.
    const sorted = withSort(query, operation, operationName);
    if (operation.stream !== undefined && paging === undefined)
      return { request: null, response: entity, query: sorted };
    const paged = paging === undefined ? sorted : withPaging(sorted, paging, operationName);
    return {
      request: null,
      response: operation.response ?? collectionOf(service, paging),
      query: paged,
      paging,
      ...(paging === undefined ? {} : { added: memberNames(collectionOf(service, paging)) }),
    };
  }
  switch (method) {
    case 'QUERY':
      return {
        request: queryBodySchema(service, operation, paging, operationName),
        response: operation.response ?? collectionOf(service, paging),
        query,
        ...(paging === undefined ? {} : { added: memberNames(collectionOf(service, paging)) }),
        isQuery: true,
      };
    case 'POST':
    case 'PUT':
      return { request: input, response: entity, query };
    case 'PATCH':
      return { request: entityPatch(input, operationName), response: entity, query };
    case 'DELETE':
      return { request: null, response: null, query };
    default:
      return { request: null, response: entity, query };
  }
}

/** @throws ConfigurationError for a schema that cannot be patched */
function entityPatch(input: TSchema, where: string): TSchema {
  const patch = mergePatchSchema(input);
  if (patch !== undefined) return patch;
  throw new ConfigurationError(
    `${where}: cannot derive a merge patch from its fields, which do not declare the members of an entity. ` +
      'Declare them with Type.Object, or a Type.Intersect or Type.Union of objects; or remove PATCH.',
  );
}

/** A patch in a list includes the identifier of its entity, except for what the path of the collection has. */
function itemPatch(service: RestServiceDefinition, input: TSchema, where: string): TSchema {
  const names = identifierMembers(service);
  const patch = names.reduce<TSchema>(
    (schema, name) => {
      const declared = memberSchema(service.fields, name) ?? memberSchema(input, name) ?? Type.String();
      // Clients send the identifier even if it is read-only.
      const { readOnly: _, ...identifier } = declared;
      return withMember(schema, name, identifier);
    },
    entityPatch(input, where),
  );
  const parameters = routeIdentifiers(service);
  const inPath = parsePattern(service.route).parts.flatMap((part) =>
    part.kind === 'parameter' ? [part.name] : [],
  );
  return { ...patch, required: names.filter((_, at) => !inPath.includes(parameters[at] ?? '')) };
}

/** @throws ConfigurationError if the query declares `sort` */
function withSort(
  query: TObject,
  { sort = [], default_sort: defaultSort }: CollectionOperationDefinition,
  where: string,
): TObject {
  if (sort.length === 0) return query;
  assertNotReserved(query, ['sort'], where, 'is reserved for sorting, as the operation has a "sort"');
  return { ...query, properties: { ...query.properties, sort: sortParameter(sort, defaultSort) } };
}

function collectionOf(service: RestServiceDefinition, paging: Paging | undefined): TSchema {
  if (paging === undefined) return listSchema(service.fields);
  const items = Type.Array(service.fields);
  const definitions = definitionsOf(service.fields);
  if (paging.byCursor) return { ...cursorCollectionOf(service, items, paging), ...definitions };
  return Type.Object(
    {
      [service.collection_name ?? 'items']: items,
      page: Type.Integer({ description: 'Number of this page, from 1.', examples: [1] }),
      page_size: Type.Integer({ description: 'Entities per page.', examples: [paging.size] }),
      page_count: Type.Integer({ description: 'Number of pages.', examples: [1] }),
      total_items: Type.Integer({ description: 'Number of entities on all pages.', examples: [1] }),
    },
    definitions,
  );
}

function memberNames({ properties }: SchemaNode): readonly string[] {
  return isSchema(properties) ? Object.keys(properties) : [];
}

function cursorCollectionOf(service: RestServiceDefinition, items: TSchema, { size }: Paging): TSchema {
  const cursor = (description: string): TSchema => Type.Union([Type.String(), Type.Null()], { description });
  return Type.Object({
    [service.collection_name ?? 'items']: items,
    page_size: Type.Integer({ description: 'Entities per page.', examples: [size] }),
    next_cursor: cursor('Cursor of the next page; null if there is none.'),
    previous_cursor: cursor('Cursor of the previous page; null if there is none.'),
    total_items: Type.Optional(Type.Integer({ description: 'Number of entities on all pages, if known.' })),
  });
}
