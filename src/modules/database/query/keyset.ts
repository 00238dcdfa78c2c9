import { Type, type Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { problem } from '../../../framework';
import type { Table, TableColumnInfo } from '../service/table';
import { parameter, tableReference, type Expression } from './expressions';

/** One key of the order of a collection. */
export interface OrderKey {
  readonly column: TableColumnInfo;
  readonly isDescending: boolean;
}

/** The cursor of a page: the values of the order keys of the row at which it begins. */
export const cursorSchema = Type.Object(
  {
    at: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
    /** Whether the page ends before that row, rather than beginning after it. */
    before: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);

export type KeysetCursor = Static<typeof cursorSchema>;

/** A number that JSON does not have, in the text that databases use. */
const NON_FINITE = /^(?:NaN|-?Infinity)$/;

/** The position of a row, from the values of its order keys. */
export function positionOf(values: readonly unknown[]): KeysetCursor['at'] {
  return values.map((value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  ) as KeysetCursor['at'];
}

/** Clients can write their own cursors. @throws Problem 400 unless it has a value of the right type for each key */
export function assertPosition({ at }: KeysetCursor, keys: readonly OrderKey[]): void {
  if (at.length === keys.length && keys.every(({ column }, index) => isValue(at[index] ?? null, column)))
    return;
  const errors = [{ parameter: 'cursor', message: 'was not issued for this query' }];
  throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors } });
}

function isValue(
  value: KeysetCursor['at'][number],
  { model: { type, isNullable } }: TableColumnInfo,
): boolean {
  if (value === null) return isNullable;
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' || NON_FINITE.test(String(value));
  return typeof value === (type === 'boolean' ? 'boolean' : 'string');
}

/**
 * Rows with a null in a column come last, in either direction, as in `comparing`. Columns are qualified: a name alone
 * would be that of a selected expression, such as a large integer as text.
 */
export function orderBy(
  keys: readonly OrderKey[],
  isReversed: boolean,
  table: Pick<Table, 'name'>,
): Expression {
  return sql.join(
    keys.map(({ column, isDescending }) => {
      const direction = sql.raw(isDescending === isReversed ? 'asc' : 'desc');
      const nulls = column.model.isNullable ? sql.raw(isReversed ? ' nulls first' : ' nulls last') : sql``;
      return sql`${tableReference(table)}.${sql.id(column.name)} ${direction}${nulls}`;
    }),
  );
}

/** Whether a position has a null, for each key: this decides the text of the condition. */
export function positionShape({ at, before }: KeysetCursor): string {
  return `${before === true ? '<' : '>'}${at.map((value) => (value === null ? '0' : '1')).join('')}`;
}

/**
 * The condition of rows after a position in an order, or before it. A comparison of row values where that is possible,
 * so that an index serves it (PostgreSQL 9.24.5, SQLite "Row Values").
 */
export function isBeyond(keys: readonly OrderKey[], cursor: KeysetCursor): Expression {
  const { at } = cursor;
  const before = cursor.before === true;
  const [first] = keys;
  const isUniform =
    first !== undefined &&
    keys.every(({ column, isDescending }) => !column.model.isNullable && isDescending === first.isDescending);
  if (isUniform) {
    const operator = sql.raw(first.isDescending === before ? '>' : '<');
    const names = sql.join(keys.map(({ column }) => sql.id(column.name)));
    return sql`(${names}) ${operator} (${sql.join(keys.map(valueAt))})`;
  }
  const branches = keys.flatMap((key, index) => {
    const step = stepBeyond(key, index, at[index] ?? null, before);
    if (step === undefined) return [];
    const ties = keys.slice(0, index).map((tied, position) => isTied(tied, position, at[position] ?? null));
    return [sql`(${sql.join([...ties, step], sql` and `)})`];
  });
  return branches.length === 0 ? sql`1 = 0` : sql`(${sql.join(branches, sql` or `)})`;
}

function valueAt({ column }: OrderKey, index: number): Expression {
  return parameter(({ position }) => {
    const value = position?.[index];
    const isText = column.model.type === 'number' && typeof value === 'string';
    return column.codec.toParameter(isText ? Number(value) : value);
  });
}

function isTied(key: OrderKey, index: number, value: unknown): Expression {
  const reference = sql.id(key.column.name);
  return value === null ? sql`${reference} is null` : sql`${reference} = ${valueAt(key, index)}`;
}

/** The condition that the value of one key lies beyond a value; undefined if none does. */
function stepBeyond(
  key: OrderKey,
  index: number,
  value: unknown,
  isReversed: boolean,
): Expression | undefined {
  const reference = sql.id(key.column.name);
  // Nulls come last.
  if (value === null) return isReversed ? sql`${reference} is not null` : undefined;
  const operator = sql.raw(key.isDescending === isReversed ? '>' : '<');
  const comparison = sql`${reference} ${operator} ${valueAt(key, index)}`;
  return key.column.model.isNullable && !isReversed
    ? sql`(${comparison} or ${reference} is null)`
    : comparison;
}
