import { sql } from 'kysely';
import type { EntityEmbed, ListEmbed, Table, TableColumnInfo, TableEmbed } from '../service/table';
import { selection, tableReference, valueOfRestriction, type Expression } from './expressions';

/** The alias of an embedded row, which no column has. */
export function embedAlias({ name }: TableEmbed): string {
  return `$embed.${name}`;
}

type EmbeddingTable = Pick<Table, 'name' | 'dialect'>;

/** Characters (SQLite) or bytes of a list that is embedded in a row: each page reads it again. */
const MAX_EMBEDDED = 2 * 1024 * 1024;

/** Stands for the text of a longer list. */
export const TOO_LONG = '';

/** Selects embedded rows as JSON text, in the same statement: a look-up by an index per row, and no further statement. */
export function embedSelection(embed: TableEmbed, table: EmbeddingTable): Expression {
  const selected = embed.kind === 'entity' ? entitySelection(embed, table) : listSelection(embed, table);
  return sql`(${selected}) as ${sql.id(embedAlias(embed))}`;
}

function entitySelection(embed: EntityEmbed, table: EmbeddingTable): Expression {
  const { target, reference, column } = embed;
  const object = jsonObject(embed, table);
  const value = table.dialect === 'sqlite' ? object : sql`${object}::text`;
  return sql`select ${value} from ${tableReference({ name: target, dialect: table.dialect })} as ${sql.id(TARGET)} where ${sql.id(TARGET, reference)} = ${ownColumn(table, column.name)}`;
}

function listSelection(embed: ListEmbed, table: EmbeddingTable): Expression {
  const object = jsonObject(embed, table);
  const list =
    table.dialect === 'sqlite'
      ? sql`json_group_array(${object})`
      : sql`coalesce(json_agg(${object}), '[]')::text`;
  // Aggregates read a subquery in its order.
  const texts = sql`select ${list} as ${TEXT} from (${listedRows(embed, table)}) as ${sql.id('$rows')}`;
  const length = table.dialect === 'sqlite' ? sql`length(${TEXT})` : sql`octet_length(${TEXT})`;
  return sql`select case when ${length} > ${sql.lit(MAX_EMBEDDED)} then ${sql.lit(TOO_LONG)} else ${TEXT} end from (${texts}) as ${sql.id('$texts')}`;
}

function listedRows(embed: ListEmbed, table: EmbeddingTable): Expression {
  const { target, through, foreignKey, reference, columns, sort, limit, rows } = embed;
  const ofTarget = (name: string): Expression => sql.id(TARGET, name);
  const join =
    through === undefined
      ? sql``
      : sql` join ${tableReference({ name: through.name, dialect: table.dialect })} as ${sql.id(JOIN)} on ${sql.id(JOIN, through.foreignKey)} = ${ofTarget(through.reference)}`;
  const conditions = [
    sql`${sql.id(through === undefined ? TARGET : JOIN, foreignKey)} = ${ownColumn(table, reference)}`,
    ...rows.map((row) => sql`${ofTarget(row.column.name)} = ${valueOfRestriction(row)}`),
  ];
  const order = sort.map(
    ({ column, isDescending }) =>
      sql`${ofTarget(column.name)} ${sql.raw(isDescending ? 'desc' : 'asc')}${column.model.isNullable ? sql` nulls last` : sql``}`,
  );
  return sql`select ${sql.join(columns.map(({ name }) => ofTarget(name)))} from ${tableReference({ name: target, dialect: table.dialect })} as ${sql.id(TARGET)}${join} where ${sql.join(conditions, sql` and `)} order by ${sql.join(order)} limit ${sql.lit(limit)}`;
}

const TEXT = sql.id('$text');
const TARGET = '$target';
const JOIN = '$join';

function ownColumn(table: EmbeddingTable, column: string): Expression {
  return sql`${tableReference(table)}.${sql.id(column)}`;
}

function jsonObject({ columns }: TableEmbed, table: EmbeddingTable): Expression {
  const members = sql.join(columns.flatMap((one) => [sql.lit(one.name), jsonValue(one, table)]));
  return table.dialect === 'sqlite' ? sql`json_object(${members})` : sql`json_build_object(${members})`;
}

/** JSON has no large integers and exact decimals: they are texts, as elsewhere. */
function jsonValue(column: TableColumnInfo, { dialect }: Pick<Table, 'dialect'>): Expression {
  const isText = column.model.type === 'bigint' || column.model.type === 'decimal';
  const { base, isArray } = column.model;
  if (base === 'money' && isArray !== true) return sql`cast(cast(${sql.id(column.name)} as numeric) as text)`;
  // PostgreSQL converts arrays as it does outside of JSON; their text is converted again by their codec.
  if (dialect === 'postgres' && isArray === true) return selection(column, { dialect });
  if (isText) return sql`cast(${sql.id(column.name)} as text)`;
  if (dialect === 'sqlite' && column.model.type === 'json') return sql`json(${sql.id(column.name)})`;
  return dialect === 'sqlite' ? selection(column, { dialect }) : sql.id(column.name);
}
