import { sql } from 'kysely';
import { DatabaseError } from '../adapters/database-error';
import { rawParameter } from '../schema/column-codec';
import { exactSuffix } from '../schema/exact-texts';
import { keyValue } from '../table/table-key';
import { restrictedValue } from '../table/restricted-value';
import type { RowRestriction, Table, TableColumnInfo } from '../table/table';
import {
  REVISION,
  and,
  compared,
  equals,
  notationsOf,
  parameter,
  selection,
  tableReference,
  valueOf,
  type Expression,
  type QueryInput,
} from './expressions';

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

/**
 * The conditions of the row that has the identifier in the route, and of {@link rowConditions}. Where several rows have
 * notations of it, such as a number and its text, it is that of the text as it is in the route.
 */
export function isRequested(table: Table): readonly Expression[] {
  const { keys, dialect } = table;
  const restrictions = rowConditions(table);
  const parts = keys.map((key) => {
    const read = ({ id }: QueryInput): unknown => keyValue(key, id ?? '');
    const reference = sql.id(key.column.name);
    const [first, ...others] = notationsOf(key.column, dialect, read);
    const isFirst = others.length === 0 ? [] : [sql`${reference} = ${first} desc`];
    return { reference, isEqual: equals(key.column, dialect, read), isFirst };
  });
  const conditions = [...parts.map(({ isEqual }) => isEqual), ...restrictions];
  const order = parts.flatMap(({ isFirst }) => isFirst);
  if (order.length === 0) return conditions;
  const names = sql.join(parts.map(({ reference }) => reference));
  const row = sql`select ${names} from ${tableReference(table)}${and(conditions)} order by ${sql.join(order)} limit 1`;
  return [sql`(${names}) = (${row})`, ...restrictions];
}

/** The condition that a row is as it was selected: every column has the same value. */
export function isUnchanged(table: Table): readonly Expression[] {
  return table.columns.map((column) => isAsSelected(column, table, column.name));
}

/** The condition that a row has the expected revision: that of the selected row by column, or `xmin`. */
export function hasRevision(table: Table): readonly Expression[] {
  const { revision, columns } = table;
  switch (revision.kind) {
    case 'hash':
      return [];
    case 'xmin':
      return [sql`xmin::text = ${parameter((input) => input.revision ?? null)}`];
    case 'column': {
      const { column } = revision;
      return [isAsSelected(column, table, columns.includes(column) ? column.name : REVISION)];
    }
  }
}

/**
 * Whether a column has the value of the selected row. The collation of the column would take texts with other characters for
 * the same.
 * @param alias of the column in the selected row
 */
function isAsSelected(column: TableColumnInfo, table: Table, alias: string): Expression {
  const { type, isNondeterministic = false } = column.model;
  const value = parameter(({ current }) => rawParameter(current?.[alias]));
  const selected = selection(column, table);
  if (table.dialect === 'postgres')
    return sql`${selected}${isNondeterministic ? sql` collate "C"` : sql``} is not distinct from ${value}`;
  // The column itself converts the text of a number that is next to zero.
  const reference = sql`${sql.id(column.name)} collate binary`;
  if (type === 'decimal') return sql`${reference} is ${value}`;
  return type === 'json'
    ? sql`(${reference} is ${value} or ${selected} collate binary is ${value})`
    : sql`${selected} collate binary is ${value}`;
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
