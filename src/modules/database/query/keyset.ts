import { sql } from 'kysely';
import type { Table } from '../table/table';
import { compared, tableReference, type Expression } from './expressions';
import { valueAt, type KeysetCursor, type OrderKey } from './position';

/**
 * Rows with a null in a column come last, in either direction, as in `comparing`. Columns are qualified: a name alone
 * would be that of a selected expression, such as a large integer as text.
 */
export function orderBy(
  keys: readonly OrderKey[],
  isReversed: boolean,
  table: Pick<Table, 'name' | 'dialect'>,
): Expression {
  return sql.join(
    keys.map(({ column, isDescending }) => {
      const direction = sql.raw(isDescending === isReversed ? 'asc' : 'desc');
      const nulls = column.model.isNullable ? sql.raw(isReversed ? ' nulls first' : ' nulls last') : sql``;
      return sql`${tableReference(table)}.${sql.id(column.name)} ${direction}${nulls}`;
    }),
  );
}

/**
 * The condition of rows after a position in an order, or before it. A comparison of row values where that is possible,
 * so that an index serves it (PostgreSQL 9.24.5, SQLite "Row Values").
 */
export function isBeyond(keys: readonly OrderKey[], cursor: KeysetCursor): Expression {
  const before = cursor.before === true;
  const [first] = keys;
  const isUniform =
    first !== undefined &&
    !cursor.at.includes(null) &&
    keys.every(
      (key) =>
        !key.column.model.isNullable &&
        key.isDescending === first.isDescending &&
        !hasNullsBeyond(key, before),
    );
  if (isUniform) {
    const operator = sql.raw(first.isDescending === before ? '>' : '<');
    const names = sql.join(keys.map(({ column }) => compared(column)));
    return sql`(${names}) ${operator} (${sql.join(keys.map(valueAt))})`;
  }
  const branches = alternativesBeyond(keys, cursor).map(
    (conditions) => sql`(${sql.join(conditions, sql` and `)})`,
  );
  return branches.length === 0 ? sql`1 = 0` : sql`(${sql.join(branches, sql` or `)})`;
}

/**
 * The alternatives of `isBeyond`, which exclude each other: the rows with equal values in the first keys that lie beyond
 * the position in the next one. An index serves each of them, while it serves a comparison of row values only in the first
 * key, unless the index ends with the last one.
 * @returns the conditions of each alternative, in the order of their rows; none if no row lies beyond the position
 */
export function alternativesBeyond(
  keys: readonly OrderKey[],
  { at, before }: KeysetCursor,
): readonly (readonly Expression[])[] {
  const alternatives = keys.map((key, index) => {
    const ties = keys.slice(0, index).map((tied, position) => isTied(tied, position, at[position] ?? null));
    return stepsBeyond(key, index, at[index] ?? null, before === true).map((step) => [...ties, step]);
  });
  // Those with the most equal values come first.
  return alternatives.reverse().flat();
}

function isTied(key: OrderKey, index: number, value: unknown): Expression {
  const reference = compared(key.column);
  return value === null ? sql`${reference} is null` : sql`${reference} = ${valueAt(key, index)}`;
}

/**
 * The conditions, of which one holds, that the value of one key lies beyond a value, in the order of their rows; none if no
 * value does.
 */
function stepsBeyond(
  key: OrderKey,
  index: number,
  value: unknown,
  isReversed: boolean,
): readonly Expression[] {
  const reference = compared(key.column);
  if (value === null) return areNullsLast(key, isReversed) ? [] : [sql`${reference} is not null`];
  const operator = sql.raw(key.isDescending === isReversed ? '>' : '<');
  const comparison = sql`${reference} ${operator} ${valueAt(key, index)}`;
  return hasNullsBeyond(key, isReversed) ? [comparison, sql`${reference} is null`] : [comparison];
}

/** Whether rows with NULL in a key may lie beyond those with a value. */
function hasNullsBeyond(key: OrderKey, isReversed: boolean): boolean {
  const { isNullable, isNullableKey = false } = key.column.model;
  return (isNullable || isNullableKey) && areNullsLast(key, isReversed);
}

/** Nulls come last. Where SQLite has one in a primary key, it is less than any value. */
function areNullsLast({ column, isDescending }: OrderKey, isReversed: boolean): boolean {
  return column.model.isNullable ? !isReversed : isDescending !== isReversed;
}
