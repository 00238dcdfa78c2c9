import { sql } from 'kysely';
import type { Table, TableColumnInfo, TableEmbed } from '../service/table';
import { selection, type Expression } from './expressions';

/** The alias of an embedded row, which no column has. */
export function embedAlias({ name }: TableEmbed): string {
  return `$embed.${name}`;
}

/**
 * Selects an embedded row as JSON text, in the same statement: one more look-up by key per row, and no further
 * statement.
 */
export function embedSelection(embed: TableEmbed, table: Pick<Table, 'name' | 'dialect'>): Expression {
  const { target, reference, column, columns } = embed;
  const members = columns.flatMap((one) => [sql.lit(one.name), jsonValue(one, table)]);
  const object =
    table.dialect === 'sqlite'
      ? sql`json_object(${sql.join(members)})`
      : sql`json_build_object(${sql.join(members)})::text`;
  const own = sql`${sql.table(table.name)}.${sql.id(column.name)}`;
  return sql`(select ${object} from ${sql.table(target)} as ${sql.id('$target')} where ${sql.id('$target', reference)} = ${own}) as ${sql.id(embedAlias(embed))}`;
}

/** JSON has no large integers and exact decimals: they are texts, as elsewhere. */
function jsonValue(column: TableColumnInfo, { dialect }: Pick<Table, 'dialect'>): Expression {
  const isText = column.model.type === 'bigint' || column.model.type === 'decimal';
  if (isText) return sql`cast(${sql.id(column.name)} as text)`;
  if (dialect === 'sqlite' && column.model.type === 'json') return sql`json(${sql.id(column.name)})`;
  return dialect === 'sqlite' ? selection(column, { dialect }) : sql.id(column.name);
}
