import {
  OptionalKind,
  Type,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
} from '@sinclair/typebox';
import { MAX_SEARCH_LENGTH } from '../query/full-text';
import { filterSchema } from '../query/filter-operators';
import type { Table, TableColumnInfo, TableEmbed } from './table';
import { isKey } from './keys/table-key';

/** The schema of an entity: every column is present. */
export function entitySchema(table: Table): TObject {
  return objectWithEmbeds(table, () => true);
}

function embedSchema(embed: TableEmbed): TSchema {
  const { properties } = objectOf(embed.columns, () => true);
  const present = `Present with \`embed=${embed.name}\``;
  if (embed.kind === 'entity') {
    return Type.Union([Type.Object(properties), Type.Null()], {
      readOnly: true,
      description: `${present}.`,
    });
  }
  const order = embed.sort.map(({ column, isDescending }) =>
    isDescending ? `-${column.name}` : column.name,
  );
  return Type.Array(Type.Object(properties), {
    readOnly: true,
    maxItems: embed.limit,
    description: `${present}: at most ${embed.limit}${order.length === 0 ? '' : `, sorted by ${order.join(', ')}`}.`,
  });
}

/** The schema of an entity that is read: members may be missing if the client asks for some with `fields`. */
export function readSchema(table: Table): TObject {
  return objectWithEmbeds(table, () => false);
}

function objectWithEmbeds({ columns, embeds }: Table, isRequired: () => boolean): TObject {
  const embedded = embeds.map((embed) => [embed.name, Type.Optional(embedSchema(embed))] as const);
  const { properties } = objectOf(columns, isRequired);
  return Type.Object({ ...properties, ...Object.fromEntries(embedded) }, { additionalProperties: false });
}

/** The schema of a page of entities. */
export function pageSchema(entity: TObject, name: string, paging: 'cursor' | 'page'): TObject {
  const total = Type.Integer({ minimum: 0, description: 'Number of entities on all pages.' });
  const cursor = (description: string): TSchema => Type.Union([Type.String(), Type.Null()], { description });
  const size = Type.Integer({ description: 'Entities per page.' });
  // In the order of responses, which are written faster then.
  const position: TProperties =
    paging === 'cursor'
      ? {
          page_size: size,
          next_cursor: cursor('Cursor of the next page; null if there is none.'),
          previous_cursor: cursor('Cursor of the previous page; null if there is none.'),
          total_items: Type.Optional(total),
        }
      : {
          page: Type.Integer({ description: 'Number of this page, from 1.' }),
          page_size: size,
          page_count: Type.Integer({ description: 'Number of pages.' }),
          total_items: total,
        };
  return Type.Object({ [name]: Type.Array(entity), ...position });
}

/** The schema of a new or replaced row: columns that may be null or have a default are optional. */
export function inputSchema(
  { columns, keys, isKeyChosen, rows }: Table,
  { requiresKey = false }: { readonly requiresKey?: boolean } = {},
): TObject {
  const isSet = (column: TableColumnInfo): boolean => rows.some((row) => row.column === column);
  return objectOf(
    columns.map((column) => {
      if (isSet(column)) return { ...column, schema: { ...column.schema, readOnly: true } };
      return keys.some((key) => key.column === column) ? { ...column, schema: keySchema(column) } : column;
    }),
    ({ model, schema, name }) =>
      schema.readOnly !== true &&
      !model.isNullable &&
      model.default === undefined &&
      // A PUT of an entity has the key in its URL.
      (requiresKey || !isKeyChosen || !keys.some(({ column }) => column.name === name)),
  );
}

/** The schema of a key that clients choose: a text that is a segment of a path. */
function keySchema({ schema, model }: TableColumnInfo): TSchema {
  const { readOnly, enum: values, minLength = 0 } = schema as Record<string, unknown>;
  if (model.type !== 'text' || readOnly === true || values !== undefined) return schema;
  return { ...schema, minLength: Math.max(1, Number(minLength)), not: { enum: ['.', '..'] } };
}

/** The entity from which a patch is derived, which can remove optional members: those that may be null, except keys. */
export function patchSchema(table: Table): TObject {
  const schema = inputSchema(table);
  const required = table.columns
    .filter(
      ({ name, model }) =>
        isKey(table, name) || (schema.properties[name]?.readOnly !== true && !model.isNullable),
    )
    .map(({ name }) => name);
  return { ...schema, required };
}

/**
 * Returns the body of a PUT or PATCH of an entity, which may have the identifier of its URL, also where the database
 * chooses it.
 */
export function withOwnKeys(schema: TObject, { keys, rows }: Pick<Table, 'keys' | 'rows'>): TObject {
  const members = keys.flatMap(({ column: { name } }): [string, TSchema][] => {
    const member = schema.properties[name];
    // A value that `rows` sets is not part of the URL.
    const isSet = rows.some(({ column, parameter }) => column.name === name && parameter === undefined);
    if (member?.readOnly !== true || isSet) return [];
    const { readOnly: _, description = '', ...given } = member;
    const text = [description.replace(/[^.]$/, '$&.'), OWN_KEY].filter((part) => part !== '').join(' ');
    return [[name, Type.Optional({ ...given, description: text } as TSchema)]];
  });
  return members.length === 0
    ? schema
    : { ...schema, properties: { ...schema.properties, ...Object.fromEntries(members) } };
}

const OWN_KEY = 'If present, it must be the identifier in the URL.';

/** As `Type.Optional` does, which copies a schema twice, once with a deleted member: that takes V8 several times as long. */
function optional(schema: TSchema): TOptional<TSchema> {
  return { ...schema, [OptionalKind]: 'Optional' };
}

function objectOf(
  columns: readonly TableColumnInfo[],
  isRequired: (column: TableColumnInfo) => boolean,
): TObject {
  const properties: TProperties = Object.fromEntries(
    columns.map((column) => [column.name, isRequired(column) ? column.schema : optional(column.schema)]),
  );
  return Type.Object(properties, { additionalProperties: false });
}

/** The query parameters of filters. A filter in SQL has the schema of its declaration, with all of its limits. */
export function filterParameters(filters: Table['filters']): TProperties {
  return Object.fromEntries(
    filters.map(({ parameter, column, operator, where }) => [
      parameter,
      where === undefined ? filterSchema(column.name, operator, column.schema) : Type.Optional(column.schema),
    ]),
  );
}

/** The query parameters of a list. */
export function listQuery(
  { columns, filters, embeds, search }: Table,
  declared: TObject | undefined,
): TObject {
  return Type.Object({
    ...(declared?.properties ?? {}),
    ...filterParameters(filters),
    ...searchParameter(search),
    fields: fieldsParameter(columns),
    ...embedParameter(embeds),
    count: countSchema(),
  });
}

/** How entities on all pages are counted. */
export function countSchema(): TSchema {
  return Type.Optional(
    Type.Unsafe({
      type: 'string',
      enum: ['exact', 'estimated'],
      description:
        'Adds `total_items`, the number of entities on all pages; `estimated` may be approximate, and is fast.',
    }),
  );
}

/** The parameter of a full-text search. */
export function searchParameter(search: Table['search']): TProperties {
  if (search === undefined) return {};
  const description = 'Words that the entities have; the last one may be incomplete.';
  return { q: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_SEARCH_LENGTH, description })) };
}

/** The query parameters of a single entity. */
export function entityQuery({ columns, embeds }: Table, declared: TObject | undefined): TObject {
  return Type.Object({
    ...(declared?.properties ?? {}),
    fields: fieldsParameter(columns),
    ...embedParameter(embeds),
  });
}

// No examples: samples and the console would ask for a part of the entity.
function fieldsParameter(columns: readonly TableColumnInfo[]): TSchema {
  const names = columns.map(({ name }) => name);
  return Type.Optional(
    Type.String({
      minLength: 1,
      description: `Members of the response, separated by commas: ${names.join(', ')}. Without it, all.`,
    }),
  );
}

function embedParameter(embeds: readonly TableEmbed[]): TProperties {
  const names = embeds.map(({ name }) => name);
  if (names.length === 0) return {};
  const description = `Related entities to embed, separated by commas: ${names.join(', ')}.`;
  return { embed: Type.Optional(Type.String({ minLength: 1, description })) };
}
