import { sql } from 'kysely';
import type { EntityEmbed, ListEmbed, Table, TableColumnInfo, TableEmbed } from '../table/table';
import { NUMBER_FUNCTION } from '../adapters/sqlite/json-number';
import { selection, tableReference, type Expression } from './expressions';
import { rowConditions } from './row-conditions';

type EmbeddingTable = Pick<Table, 'name' | 'dialect'>;

/** Characters (SQLite) or bytes of a list that is embedded in a row: each page reads it again. */
const MAX_EMBEDDED = 2 * 1024 * 1024;

/** Stands for the text of a longer list. */
export const TOO_LONG = '';

/** Selects embedded rows as JSON text, in the same statement: a look-up by an index per row, and no further statement. */
export function embedSelection(embed: TableEmbed, table: EmbeddingTable): Expression {
  const selected = embed.kind === 'entity' ? entitySelection(embed, table) : listSelection(embed, table);
  return sql`(${selected}) as ${sql.id(embed.alias)}`;
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
    ...rowConditions({ rows, dialect: table.dialect }, TARGET),
  ];
  const order = sort.map(
    ({ column, isDescending }) =>
      sql`${ofTarget(column.name)} ${sql.raw(isDescending ? 'desc' : 'asc')}${column.model.isNullable ? sql` nulls last` : sql``}`,
  );
  // Of a table without a key, all columns may be of types that have no order.
  const ordered = order.length === 0 ? sql`` : sql` order by ${sql.join(order)}`;
  return sql`select ${sql.join(columns.map(({ name }) => ofTarget(name)))} from ${tableReference({ name: target, dialect: table.dialect })} as ${sql.id(TARGET)}${join} where ${sql.join(conditions, sql` and `)}${ordered} limit ${sql.lit(limit)}`;
}

const TEXT = sql.id('$text');
const OBJECT = sql.id('$object');
const TARGET = '$target';
const JOIN = '$join';

function ownColumn(table: EmbeddingTable, column: string): Expression {
  return sql`${tableReference(table)}.${sql.id(column)}`;
}

/** Arguments of a function of PostgreSQL: two for each member of an object. */
const MAX_ARGUMENTS = 100;

function jsonObject({ columns }: TableEmbed, table: EmbeddingTable): Expression {
  if (table.dialect === 'postgres' && columns.length * 2 > MAX_ARGUMENTS) {
    const selected = columns.map((one) => sql`${jsonValue(one, table)} as ${sql.id(one.name)}`);
    return sql`(select row_to_json(${OBJECT}) from (select ${sql.join(selected)}) as ${OBJECT})`;
  }
  const members = sql.join(columns.flatMap((one) => [sql.lit(one.name), jsonValue(one, table)]));
  return table.dialect === 'sqlite' ? sql`json_object(${members})` : sql`json_build_object(${members})`;
}

/** A value as it is selected outside of JSON. */
function jsonValue(column: TableColumnInfo, { dialect }: Pick<Table, 'dialect'>): Expression {
  const reference = sql.id(column.name);
  const selected = selection(column, { dialect });
  const { isArray, type } = column.model;
  if (dialect === 'sqlite') {
    if (type === 'bigint') return selected;
    // JSON is a text in the text, so that it is not taken for a binary number, which any column may have. A cast would still
    // be taken for JSON.
    const other = type === 'json' ? sql`(${selected}) || ''` : selected;
    return sql`case typeof(${reference}) when 'real' then json(${sql.raw(NUMBER_FUNCTION)}(${reference})) else ${other} end`;
  }
  // JSON has no large integers and exact decimals: they are texts. Arrays are converted as they are outside of JSON.
  if ((type === 'bigint' || type === 'decimal') && isArray !== true) return sql`cast(${selected} as text)`;
  return type === 'json' && isArray !== true ? reference : selected;
}
