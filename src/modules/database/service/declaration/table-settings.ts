import { Type, type TProperties } from '@sinclair/typebox';
import { filterOperators } from '../../query/filters/filter-operators';

const column = Type.Object(
  {
    description: Type.Optional(Type.String({ description: 'Meaning of the column.' })),
    schema: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'JSON Schema keywords that replace those of the database.',
      }),
    ),
    read_only: Type.Optional(Type.Boolean({ description: 'Whether clients may not write it.' })),
    embed: Type.Optional(
      Type.Object(
        {
          name: Type.Optional(Type.String({ minLength: 1, description: 'Name of the member.' })),
          columns: Type.Array(Type.String(), { minItems: 1, description: 'Columns of the other table.' }),
        },
        { additionalProperties: false, description: 'Lets clients embed the row of a foreign key.' },
      ),
    ),
  },
  { additionalProperties: false },
);

const rows = Type.Optional(
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: 'Restricts reads and writes to some rows: { "owner": "identity.name" }.',
    secret: false,
  }),
);

const listEmbed = Type.Object(
  {
    table_name: Type.String({ minLength: 1, description: 'Table of the embedded rows.' }),
    columns: Type.Array(Type.String(), { minItems: 1, description: 'Columns of that table.' }),
    through: Type.Optional(Type.String({ minLength: 1, description: 'Table that joins both.' })),
    foreign_key: Type.Optional(
      Type.String({ minLength: 1, description: 'Column that refers to the table of the service.' }),
    ),
    sort: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'Order; "-" for descending.' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of rows; defaults to 100.' }),
    ),
    rows,
  },
  { additionalProperties: false },
);

const sqlText = (description: string) => Type.String({ minLength: 1, description });

const sqlFilter = Type.Object(
  {
    // Required, but code may declare it.
    where: Type.Optional(
      Type.Union(
        [
          sqlText('Condition.'),
          Type.Object({
            sqlite: sqlText('Condition for SQLite.'),
            postgres: sqlText('Condition for PostgreSQL.'),
          }),
        ],
        {
          description: 'Condition in SQL, with :value for the value; by dialect if the SQL differs.',
        },
      ),
    ),
    description: Type.Optional(Type.String({ description: 'Meaning of the filter.' })),
    lower_case: Type.Optional(
      Type.Boolean({
        description: 'Whether the value is converted to lower case (Unicode); defaults to false.',
      }),
    ),
    schema: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the value.' }),
    ),
  },
  { additionalProperties: false },
);

/** Keys of a table service, besides those of every service. */
export const tableSettings: TProperties = {
  adapter_name: Type.Optional(Type.String({ description: 'Key in platform-db.adapters.' })),
  table_name: Type.Optional(Type.String({ minLength: 1, description: 'Name of a table or view.' })),
  columns: Type.Optional(
    Type.Record(Type.String(), column, { description: 'Columns that clients see, by name.', secret: false }),
  ),
  embeds: Type.Optional(
    Type.Record(Type.String(), listEmbed, {
      description: 'Lists of related rows that clients can embed, by the name of the member.',
      secret: false,
    }),
  ),
  filters: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Array(Type.Union(filterOperators.map((operator) => Type.Literal(operator))), {
        uniqueItems: true,
      }),
      { description: 'Filters that clients may use, by column: { "price": ["gte", "lte"] }.', secret: false },
    ),
  ),
  sql_filters: Type.Optional(
    Type.Record(Type.String(), sqlFilter, {
      description: 'Further filters that clients may use, by query parameter.',
      secret: false,
    }),
  ),
  search: Type.Optional(
    Type.Boolean({
      description: 'Whether clients can search with ?q=, by the full-text index of the table.',
    }),
  ),
  nested_filters: Type.Optional(
    Type.Boolean({
      description:
        'Whether clients can combine filters by "and", "or" and "not" in a QUERY; defaults to true.',
    }),
  ),
  rows,
  revision: Type.Optional(
    Type.String({ minLength: 1, description: 'Column that identifies the state of a row, or "xmin".' }),
  ),
  hooks: Type.Optional(
    Type.String({ minLength: 1, description: 'Container name of hooks: code before and after writes.' }),
  ),
  paging: Type.Optional(
    Type.Union([Type.Literal('cursor'), Type.Literal('page')], {
      description: 'How collections are paged; defaults to "cursor".',
    }),
  ),
};
