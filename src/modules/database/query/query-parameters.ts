import { Type, type TObject, type TProperties, type TSchema } from '@sinclair/typebox';
import { MAX_SEARCH_LENGTH } from './filters/full-text';
import { filterSchema } from './filters/filter-operators';
import type { Table, TableColumnInfo, TableEmbed } from '../table/table';

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
    count: countSchema,
  });
}

/** How entities on all pages are counted. */
export const countSchema: TSchema = Type.Optional(
  Type.Unsafe({
    type: 'string',
    enum: ['exact', 'estimated'],
    description:
      'Adds `total_items`, the number of entities on all pages; `estimated` may be approximate, and is fast.',
  }),
);

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
