import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import { ConfigurationError, isSchema, objectOf } from '../../../framework';
import { orderKeys } from '../../content-validation';
import type { RestServiceDefinition } from '../definition/definition';
import { assertNotReserved } from '../definition/checks/reserved-names';
import type { CollectionOperationDefinition } from '../definition/operation-definition';
import { pagingParameters, type Paging } from '../rest/paging';

/** The order of a QUERY: its own, or that of the GET, for which it may have another default. */
export function sortOfQuery(
  { collection }: Pick<RestServiceDefinition, 'collection'>,
  query: CollectionOperationDefinition,
): Pick<CollectionOperationDefinition, 'sort' | 'default_sort'> {
  if (query.sort !== undefined) return query;
  const { default_sort: standard } = query;
  return { ...collection?.GET, ...(standard === undefined ? {} : { default_sort: standard }) };
}

/**
 * Returns the schema of the body of a QUERY: what it declares, with the members for order and paging that a GET has as
 * parameters.
 * @param where operation name, for messages
 * @throws ConfigurationError for a schema without `properties`, or with a reserved member
 */
export function queryBodySchema(
  service: Pick<RestServiceDefinition, 'collection'>,
  operation: CollectionOperationDefinition,
  paging: Paging | undefined,
  where: string,
): TObject {
  const declared = operation.fields ?? Type.Object({});
  if (!isSchema(declared.properties)) {
    throw new ConfigurationError(
      `${where}: its fields declare no members. Use Type.Object({ … }), a JSON Schema with "properties".`,
    );
  }
  const object = declared as TObject;
  const added = { ...sortMembers(sortOfQuery(service, operation)), ...(paging && pagingParameters(paging)) };
  assertNotReserved(object, Object.keys(added), where, 'is reserved for order and paging');
  return { ...object, properties: { ...object.properties, ...added }, additionalProperties: false };
}

/** Returns the schema of the body of a QUERY without the defaults of its page, which the handler knows as well. */
export function withoutPageDefaults(body: TSchema): TSchema {
  const members = Object.entries(objectOf(body.properties)).map(([name, member]) => {
    if (!PAGE_MEMBERS.includes(name) || !isSchema(member)) return [name, member];
    const { default: _, ...others } = member;
    return [name, others];
  });
  return { ...body, properties: Object.fromEntries(members) as TProperties };
}

const PAGE_MEMBERS: readonly string[] = ['page', 'page_size'];

function sortMembers({
  sort = [],
  default_sort: defaultSort,
}: Pick<CollectionOperationDefinition, 'sort' | 'default_sort'>): TProperties {
  if (sort.length === 0) return {};
  const item = Type.Unsafe({ type: 'string', enum: sort.flatMap((name) => [name, `-${name}`]) });
  const byDefault = defaultSort === undefined ? undefined : orderKeys(sort, defaultSort);
  const schema = Type.Array(item, {
    uniqueItems: true,
    description: 'Sort order; a prefix "-" is for descending order.',
    examples: [byDefault ?? [`-${sort[0] ?? ''}`]],
    ...(byDefault === undefined ? {} : { default: byDefault }),
  });
  return { sort: Type.Optional(schema) };
}
