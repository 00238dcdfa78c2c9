import { Type, type Static } from '@sinclair/typebox';
import { sql } from 'kysely';
import { problem } from '../../../framework';
import type { Table, TableColumnInfo } from '../service/table';
import type { Dialect, SqlValue } from '../adapters/database-adapter';
import { isStorable } from '../adapters/storable-value';
import { rawParameter } from '../schema/column-codec';
import { and, parameter, tableReference, valueOf, type Expression, type QueryInput } from './expressions';

/** One key of the order of a collection. */
export interface OrderKey {
  readonly column: TableColumnInfo;
  readonly isDescending: boolean;
}

/** Whether the page ends before the row of the cursor, rather than beginning after it. */
const before = Type.Optional(Type.Literal(true));

const keysetCursor = Type.Object(
  { at: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])), before },
  { additionalProperties: false },
);

const entityCursor = Type.Object(
  { of: Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]), before },
  { additionalProperties: false },
);

/**
 * The cursor of a page: the values of the order keys of the row at which it begins, or the identifier of that row where
 * they are too long for a URL.
 */
export const cursorSchema = Type.Union([keysetCursor, entityCursor]);

export type KeysetCursor = Static<typeof keysetCursor>;
export type EntityCursor = Static<typeof entityCursor>;

/** Bytes of a position in a URL, of which a cursor takes a third more. */
const MAX_POSITION = 2_500;

/** Whether the values of a position are too long for a URL. */
export function isLongPosition(at: KeysetCursor['at']): boolean {
  // Most texts are so short that their bytes need not be counted: a character takes six at most, as an escape sequence.
  const characters = at.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  return characters > MAX_POSITION / 8 && Buffer.byteLength(JSON.stringify(at)) > MAX_POSITION;
}

/** A number that JSON does not have, in the text that databases use. */
const NON_FINITE = /^(?:NaN|-?Infinity)$/;

/** The position of a row, from the values of its order keys. */
export function positionOf(values: readonly unknown[]): KeysetCursor['at'] {
  return values.map((value) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  ) as KeysetCursor['at'];
}

/** Clients can write their own cursors. @throws Problem 400 unless it has a value of the right type for each key */
export function assertPosition(
  { at }: KeysetCursor,
  keys: readonly OrderKey[],
  { dialect }: Pick<Table, 'dialect'>,
): void {
  const isPosition = keys.every(({ column }, index) => isValue(at[index] ?? null, column, dialect));
  if (at.length === keys.length && isPosition) return;
  throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors: [NOT_ISSUED] } });
}

const NOT_ISSUED = { parameter: 'cursor', message: 'was not issued for this query' };

/** Unlike other decimals, an amount of `money` is always a number: PostgreSQL refuses to convert others. */
const AMOUNT = /^-?\d+(?:\.\d+)?$/;

function isValue(
  value: KeysetCursor['at'][number],
  { model: { type, base, isNullable }, hasStoredPosition }: TableColumnInfo,
  dialect: Dialect,
): boolean {
  if (value === null) return isNullable;
  if (base === 'money') return typeof value === 'string' && AMOUNT.test(value);
  // SQLite stores numbers in columns of any type, and those that are not whole in an INTEGER.
  if (hasStoredPosition) return typeof value !== 'boolean';
  if (type === 'integer')
    return dialect === 'sqlite' ? typeof value === 'number' : Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' || NON_FINITE.test(String(value));
  return typeof value === (type === 'boolean' ? 'boolean' : 'string');
}

/**
 * Rows with a null in a column come last, in either direction, as in `comparing`. Columns are qualified: a name alone
 * would be that of a selected expression, such as a large integer as text.
 * @param table the qualifier; none in a compound select, whose order has only names of its columns
 */
export function orderBy(
  keys: readonly OrderKey[],
  isReversed: boolean,
  table?: Pick<Table, 'name' | 'dialect'>,
): Expression {
  return sql.join(
    keys.map(({ column, isDescending }) => {
      const direction = sql.raw(isDescending === isReversed ? 'asc' : 'desc');
      const nulls = column.model.isNullable ? sql.raw(isReversed ? ' nulls first' : ' nulls last') : sql``;
      const qualifier = table === undefined ? sql`` : sql`${tableReference(table)}.`;
      return sql`${qualifier}${sql.id(column.name)} ${direction}${nulls}`;
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
  const branches = branchesBeyond(keys, cursor).map(
    (conditions) => sql`(${sql.join(conditions, sql` and `)})`,
  );
  return branches.length === 0 ? sql`1 = 0` : sql`(${sql.join(branches, sql` or `)})`;
}

/**
 * A page of the rows beyond a position, to select from: SQLite reads each alternative from an index, in order, until the
 * page is full. A comparison of row values would read all rows that equal the position in the first key, unless the index
 * ends with it.
 * @param conditions further conditions of the rows
 * @param limit the clause that ends the page
 */
export function pageBeyond(
  table: Pick<Table, 'name' | 'dialect'>,
  keys: readonly OrderKey[],
  cursor: KeysetCursor,
  conditions: readonly Expression[],
  limit: Expression,
): Expression {
  const alternatives = branchesBeyond(keys, cursor).map((beyond) => and([...beyond, ...conditions]));
  const rows = (alternatives.length === 0 ? [sql` where 1 = 0`] : alternatives).map(
    (where) => sql`select * from ${tableReference(table)}${where}`,
  );
  const order = orderBy(keys, cursor.before === true);
  return sql`(${sql.join(rows, sql` union all `)} order by ${order}${limit}) as ${sql.id(table.name)}`;
}

/**
 * The alternatives of `isBeyond`, which exclude each other: the rows with equal values in the first keys that lie beyond
 * the position in the next one. An index serves each of them.
 * @returns the conditions of each alternative; none if no row lies beyond the position
 */
function branchesBeyond(
  keys: readonly OrderKey[],
  { at, before }: KeysetCursor,
): readonly (readonly Expression[])[] {
  return keys.flatMap((key, index) => {
    const step = stepBeyond(key, index, at[index] ?? null, before === true);
    if (step === undefined) return [];
    const ties = keys.slice(0, index).map((tied, position) => isTied(tied, position, at[position] ?? null));
    return [[...ties, step]];
  });
}

function valueAt({ column }: OrderKey, index: number): Expression {
  const isNumeric = column.model.type === 'number' || column.model.type === 'decimal';
  const read = ({ position }: QueryInput): unknown => {
    const value = position?.[index];
    return isNumeric && typeof value === 'string' && NON_FINITE.test(value) ? Number(value) : value;
  };
  return column.hasStoredPosition ? parameter((input) => toPosition(read(input))) : valueOf(column, read);
}

/** @throws Problem 400 for a text that no column has */
function toPosition(value: unknown): SqlValue {
  const stored = rawParameter(value);
  if (isStorable(stored)) return stored;
  throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors: [NOT_ISSUED] } });
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
