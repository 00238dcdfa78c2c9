import { Type, type Static } from '@sinclair/typebox';
import { problem } from '../../../framework';
import type { Dialect, SqlValue } from '../adapters/database-adapter';
import { isStorable } from '../adapters/storable-value';
import { rawParameter } from '../schema/column-codec';
import type { TableColumnInfo } from '../table/table';
import { parameter, valueOf, type Expression, type QueryInput } from './expressions';

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

/** A number that JSON does not have, in the text that JavaScript and PostgreSQL use. */
const NON_FINITE = /^(?:NaN|-?Infinity)$/;

/** Begins a text that is stored in a column of bytes, whose position is Base64 otherwise. */
const TEXT_MARK = "'";

/** The position of a row, from the values of its order keys: those of columns with a stored position as they are selected. */
export function positionOf(keys: readonly OrderKey[], values: readonly unknown[]): KeysetCursor['at'] {
  return values.map((value, index) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (typeof value === 'string' && hasStoredBytes(keys[index])) return TEXT_MARK + value;
    return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
  }) as KeysetCursor['at'];
}

/** Whether the position of a row in a column of bytes tells them from texts and numbers, which SQLite stores as well. */
function hasStoredBytes(key: OrderKey | undefined): boolean {
  return key?.column.hasStoredPosition === true && key.column.model.type === 'binary';
}

/** Clients can write their own cursors. @throws Problem 400 unless it has a value of the right type for each key */
export function assertPosition({ at }: KeysetCursor, keys: readonly OrderKey[], dialect: Dialect): void {
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
  // SQLite allows null in most primary keys.
  if (value === null) return isNullable || dialect === 'sqlite';
  if (base === 'money') return typeof value === 'string' && AMOUNT.test(value);
  // SQLite stores values of any type in columns of these types.
  if (hasStoredPosition) return typeof value !== 'boolean' || type === 'boolean';
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' || NON_FINITE.test(String(value));
  return typeof value === (type === 'boolean' ? 'boolean' : 'string');
}

/** Whether a position has a null, for each key: this decides the text of the condition. */
export function positionShape({ at, before }: KeysetCursor): string {
  return `${before === true ? '<' : '>'}${at.map((value) => (value === null ? '0' : '1')).join('')}`;
}

/** The text of a number that JSON does not have, in the position of a row; undefined for a column without such numbers. */
function nonFiniteText({ model: { type }, hasStoredPosition }: TableColumnInfo): RegExp | undefined {
  if (!hasStoredPosition) return type === 'number' || type === 'decimal' ? NON_FINITE : undefined;
  // SQLite has no NaN, stores infinite numbers in columns of these types, and selects a bigint as text.
  if (type === 'text' || type === 'binary') return undefined;
  return type === 'bigint' ? /^-?Inf$/ : /^-?Infinity$/;
}

/** The value of one key in the position of a request. */
export function valueAt({ column }: OrderKey, index: number): Expression {
  const nonFinite = nonFiniteText(column);
  const read = ({ position }: QueryInput): unknown => {
    const value = position?.[index];
    // In cursors that were issued before positions had stored values.
    if (typeof value === 'boolean' && column.hasStoredPosition) return Number(value);
    return typeof value === 'string' && nonFinite?.test(value) === true
      ? Number(value.replace(/Inf$/, 'Infinity'))
      : value;
  };
  if (!column.hasStoredPosition) return valueOf(column, read);
  const convert = column.model.type === 'binary' ? bytesAt : (value: unknown): unknown => value;
  return parameter((input) => toPosition(convert(read(input))));
}

/** The value of a column of bytes in a position. */
function bytesAt(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.startsWith(TEXT_MARK) ? value.slice(TEXT_MARK.length) : Buffer.from(value, 'base64');
}

/** @throws Problem 400 for a text that no column has */
function toPosition(value: unknown): SqlValue {
  const stored = rawParameter(value);
  if (isStorable(stored)) return stored;
  throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors: [NOT_ISSUED] } });
}
