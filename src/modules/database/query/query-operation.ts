import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import type { RestServiceDefinition } from '../../hosting';
import { COMBINATIONS, MAX_CONDITIONS, MAX_DEPTH } from './filters/body-filter';
import { exampleOfFilters } from './filters/filter-example';
import { comparable, MAX_VALUES, meaningOf, withoutDefault } from './filters/filter-operators';
import { countSchema, searchParameter } from './query-parameters';
import type { Table, TableFilter } from '../table/table';

type Operations = NonNullable<RestServiceDefinition['collection']>;

/**
 * Adds a QUERY to a collection that has a GET, with its hooks, response and streams; keeps what is declared for it, such
 * as its access rule.
 * @param fields schema of the body; undefined for none
 * @param streams whether it streams as the GET does
 */
export function withQuery(operations: Operations, fields: TObject | undefined, streams: boolean): Operations {
  const { GET: get, QUERY: declared, ...others } = operations;
  if (get === undefined || fields === undefined) return get === undefined ? others : { GET: get, ...others };
  const { response, timeout, hooks, stream, heartbeat } = get;
  const query = {
    description: DESCRIPTION,
    ...(response === undefined ? {} : { response }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(stream === undefined || !streams ? {} : { stream }),
    ...(heartbeat === undefined || !streams ? {} : { heartbeat }),
    ...declared,
    fields,
  };
  return { GET: get, QUERY: query, ...others };
}

const DESCRIPTION =
  'Lists the entities of a filter, whose conditions can be combined by `and`, `or` and `not`.';

/** The body of a QUERY while the table is unknown. */
export const anyQuery = Type.Object({
  filter: Type.Optional(Type.Unknown()),
  q: Type.Optional(Type.Unknown()),
  fields: Type.Optional(Type.Unknown()),
  embed: Type.Optional(Type.Unknown()),
  count: Type.Optional(Type.Unknown()),
});

/**
 * The body of a QUERY: the parameters of a GET, with nested filters.
 * @returns undefined if the service declares no filters
 */
export function queryBody({ columns, filters, embeds, search }: Table): TObject | undefined {
  const available = usable(filters);
  if (available.length === 0) return undefined;
  const filter = filterSchemaOf(available);
  const example = exampleOfFilters(available);
  const namesSchema = (items: readonly { readonly name: string }[], description: string): TSchema =>
    Type.Optional(
      Type.Array(choice(items.map(({ name }) => name)), { minItems: 1, uniqueItems: true, description }),
    );
  return Type.Object(
    {
      // Not a reference, so that documentation lists its members.
      filter: Type.Optional({ ...filter, ...(example === undefined ? {} : { examples: [example] }) }),
      ...searchParameter(search),
      fields: namesSchema(columns, 'Members of the entities. Without it, all.'),
      ...(embeds.length === 0 ? {} : { embed: namesSchema(embeds, 'Related entities to embed.') }),
      count: countSchema,
    },
    { additionalProperties: false, $defs: { Filter: filter } },
  );
}

const nested = { $ref: '#/$defs/Filter' } as const;

function usable(filters: readonly TableFilter[]): readonly TableFilter[] {
  const columns = filters.filter(({ where }) => where === undefined).map(({ column }) => column.name);
  const reserved: readonly string[] = COMBINATIONS;
  return filters.filter(({ where, column, parameter }) =>
    where === undefined
      ? !reserved.includes(column.name)
      : !reserved.includes(parameter) && !columns.includes(parameter),
  );
}

function filterSchemaOf(filters: readonly TableFilter[]): TSchema {
  const byColumn = new Map<string, TProperties>();
  const conditions: TProperties = {};
  for (const { column, operator, parameter, where } of filters) {
    if (where !== undefined) {
      conditions[parameter] = Type.Optional(withoutDefault(column.schema));
      continue;
    }
    const description = `${meaningOf(operator).replace(/^./, (letter) => letter.toUpperCase())}.`;
    const schema = { ...operandSchema(column.schema, operator), description } as unknown as TSchema;
    byColumn.set(column.name, { ...byColumn.get(column.name), [operator]: Type.Optional(schema) });
  }
  const comparisons = [...byColumn].map(([column, operators]): [string, TSchema] => [
    column,
    Type.Optional(Type.Object(operators, { additionalProperties: false, minProperties: 1 })),
  ]);
  const list = (description: string): TSchema =>
    Type.Optional(
      Type.Array(Type.Unsafe({ ...nested }), { minItems: 1, maxItems: MAX_CONDITIONS, description }),
    );
  return Type.Object(
    {
      ...Object.fromEntries(comparisons),
      ...conditions,
      and: list('All of the conditions hold.'),
      or: list('At least one of the conditions holds.'),
      not: Type.Optional(Type.Unsafe({ ...nested, description: 'The condition does not hold.' })),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      description: `Conditions of entities, which hold together: at most ${MAX_CONDITIONS} comparisons in ${MAX_DEPTH} levels.`,
    },
  );
}

function operandSchema(column: TSchema, operator: TableFilter['operator']): TSchema {
  switch (operator) {
    case 'is':
      return choice(['null', 'not_null']);
    case 'in':
      return Type.Array(comparable(column), { minItems: 1, maxItems: MAX_VALUES });
    case 'starts':
    case 'contains':
      return Type.String({ minLength: 1 });
    default:
      return comparable(column);
  }
}

function choice(names: readonly string[]): TSchema {
  return Type.Unsafe({ type: 'string', enum: [...names] });
}
