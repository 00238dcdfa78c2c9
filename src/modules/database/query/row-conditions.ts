import { sql } from 'kysely';
import { exactSuffix } from '../schema/exact-texts';
import { restrictedValue } from '../service/row-restriction';
import type { RowRestriction, Table } from '../service/table';
import { equals, valueOf, type Expression } from './expressions';

/**
 * The conditions that `rows` sets for every statement.
 * @param alias of the restricted table, in a statement with several
 */
export function rowConditions(
  { rows, dialect }: Pick<Table, 'rows' | 'dialect'>,
  alias?: string,
): readonly Expression[] {
  return rows.flatMap((row) => {
    const { column, constant, parameter } = row;
    const reference = alias === undefined ? sql.id(column.name) : sql.id(alias, column.name);
    const isEqual = equals(column, dialect, ({ requester }) => restrictedValue(row, requester), reference);
    const isOfUser = constant === undefined && parameter === undefined;
    const exact = isOfUser ? exactSuffix(column.model, dialect) : undefined;
    if (exact === undefined) return [isEqual];
    // Indexes serve the first one only.
    return [isEqual, sql`${reference}${sql.raw(exact)} = ${valueOfRestriction(row)}`];
  });
}

/** The value that a column of a row restriction has. */
export function valueOfRestriction(row: RowRestriction): Expression {
  return valueOf(row.column, ({ requester }) => restrictedValue(row, requester));
}
