import { sql } from 'kysely';
import { DatabaseError } from '../adapters/database-error';
import { exactSuffix } from '../schema/exact-texts';
import { restrictedValue } from '../service/row-restriction';
import type { RowRestriction, Table } from '../service/table';
import { compared, equals, valueOf, type Expression, type QueryInput } from './expressions';

/**
 * The conditions that `rows` sets for every statement.
 * @param alias of the restricted table, in a statement with several
 */
export function rowConditions(
  { rows, dialect }: Pick<Table, 'rows' | 'dialect'>,
  alias?: string,
): readonly Expression[] {
  return rows.flatMap((row) => {
    const { column } = row;
    const reference = compared(column, alias);
    const value = ({ requester }: QueryInput): unknown => restrictedValue(row, requester);
    const isEqual = equals(column, dialect, value, reference);
    const exact = isOfUser(row) ? exactSuffix(column.model, dialect) : undefined;
    if (exact === undefined) return [isEqual];
    // Indexes serve the first one only.
    return [isEqual, sql`${reference}${sql.raw(exact)} = ${valueOf(column, value)}`];
  });
}

/** The value of a new row in a restricted column. @throws DatabaseError if it has none for the name of the user */
export function valueOfRestriction(row: RowRestriction): Expression {
  return valueOf(row.column, ({ requester }) => {
    const value = restrictedValue(row, requester);
    if (value !== null || !isOfUser(row)) return value;
    const { name } = row.column;
    throw new DatabaseError('invalid_value', `The column ${name} cannot have the name of this user.`, {
      columns: [name],
    });
  });
}

/** Whether rows belong to the user who creates them. */
function isOfUser({ constant, parameter }: RowRestriction): boolean {
  return constant === undefined && parameter === undefined;
}
