import {
  OptionalKind,
  Type,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
} from '@sinclair/typebox';
import type { Table, TableColumnInfo, TableEmbed } from '../table/table';
import { isKey } from '../table/table-key';

/** The schema of an entity that is read: members may be missing if the client asks for some with `fields`. */
export function readSchema({ columns, embeds }: Pick<Table, 'columns' | 'embeds'>): TObject {
  const embedded = embeds.map((embed) => [embed.name, Type.Optional(embedSchema(embed))] as const);
  return closedObject({ ...membersOf(schemasOf(columns), []), ...Object.fromEntries(embedded) }, []);
}

/** The schema of an entity: every column is present. @param read see {@link readSchema} */
export function entitySchema(read: TObject, { columns }: Pick<Table, 'columns'>): TObject {
  return closedObject(
    read.properties,
    columns.map(({ name }) => name),
  );
}

function embedSchema(embed: TableEmbed): TSchema {
  const properties = schemasOf(embed.columns);
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

const total = Type.Integer({ minimum: 0, description: 'Number of entities on all pages.' });
const size = Type.Integer({ description: 'Entities per page.' });
const cursor = (description: string): TSchema => Type.Union([Type.String(), Type.Null()], { description });

/** The members of a page besides its entities, in the order of responses, which are written faster then. */
const positions: Readonly<Record<'cursor' | 'page', TProperties>> = {
  cursor: {
    page_size: size,
    next_cursor: cursor('Cursor of the next page; null if there is none.'),
    previous_cursor: cursor('Cursor of the previous page; null if there is none.'),
    total_items: Type.Optional(total),
  },
  page: {
    page: Type.Integer({ description: 'Number of this page, from 1.' }),
    page_size: size,
    page_count: Type.Integer({ description: 'Number of pages.' }),
    total_items: total,
  },
};

/** The schema of a page of entities. */
export function pageSchema(entity: TObject, name: string, paging: 'cursor' | 'page'): TObject {
  return Type.Object({ [name]: Type.Array(entity), ...positions[paging] });
}

/** The schema of a new or replaced row: columns that may be null or have a default are optional. */
export function inputSchema({ columns, keys, isKeyChosen, rows }: Table): TObject {
  const isSet = (column: TableColumnInfo): boolean => rows.some((row) => row.column === column);
  const schemaOf = (column: TableColumnInfo): TSchema => {
    if (isSet(column)) return { ...column.schema, readOnly: true };
    return keys.some((key) => key.column === column) ? keySchema(column) : column.schema;
  };
  const schemas = schemasOf(columns, schemaOf);
  // A PUT of an entity has the key in its URL.
  const required = requiredOf(columns, schemas, isKeyChosen ? keys : []);
  return closedObject(membersOf(schemas, required), required);
}

/** The schema of a new row whose key the client chooses. @param input see {@link inputSchema} */
export function withRequiredKeys(input: TObject, { columns }: Pick<Table, 'columns'>): TObject {
  return closedObject(input.properties, requiredOf(columns, input.properties, []));
}

function requiredOf(
  columns: readonly TableColumnInfo[],
  schemas: TProperties,
  optional: Table['keys'],
): readonly string[] {
  const required = columns.filter(
    ({ model, name }) =>
      schemas[name]?.readOnly !== true &&
      !model.isNullable &&
      model.default === undefined &&
      !optional.some(({ column }) => column.name === name),
  );
  return required.map(({ name }) => name);
}

/** The schema of a key that clients choose: a text that is a segment of a path. */
function keySchema({ schema, model }: TableColumnInfo): TSchema {
  const { readOnly, enum: values, minLength = 0 } = schema as Record<string, unknown>;
  if (model.type !== 'text' || readOnly === true || values !== undefined) return schema;
  return { ...schema, minLength: Math.max(1, Number(minLength)), not: { enum: ['.', '..'] } };
}

/**
 * The entity from which a patch is derived, which can remove optional members: those that may be null, except keys.
 * @param input see {@link inputSchema}
 */
export function patchSchema(input: TObject, table: Table): TObject {
  const required = table.columns
    .filter(
      ({ name, model }) =>
        isKey(table, name) || (input.properties[name]?.readOnly !== true && !model.isNullable),
    )
    .map(({ name }) => name);
  return { ...input, required };
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

function schemasOf(
  columns: readonly TableColumnInfo[],
  schemaOf: (column: TableColumnInfo) => TSchema = ({ schema }) => schema,
): TProperties {
  return Object.fromEntries(columns.map((column) => [column.name, schemaOf(column)]));
}

function membersOf(schemas: TProperties, required: readonly string[]): TProperties {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      required.includes(name) ? schema : optional(schema),
    ]),
  );
}

const withoutRequired = Type.Object({}, { additionalProperties: false });
const withRequired = Type.Object({ name: Type.Any() }, { additionalProperties: false });

/**
 * As `Type.Object`, which finds out what is required by the members. Schemas that differ in this only share one object of
 * members, which is then checked once.
 */
function closedObject(properties: TProperties, required: readonly string[]): TObject {
  return required.length === 0
    ? { ...withoutRequired, properties }
    : { ...withRequired, required: [...required], properties };
}
