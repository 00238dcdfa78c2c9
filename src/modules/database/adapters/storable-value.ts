import type { SqlValue } from './database-adapter';
import { DatabaseError } from './database-error';

const MAX_INTEGER = 2n ** 63n - 1n;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Whether databases keep a value as it is: integers have at most 64 bits, and texts no NUL and no half of a surrogate
 * pair. PostgreSQL refuses NUL; the driver of SQLite cuts such texts off, so that a filter or the owner of a row would be
 * another one. Both drivers replace half a pair, which is not a character.
 */
export function isStorable(value: SqlValue): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !LONE_SURROGATE.test(value);
  return typeof value !== 'bigint' || (value <= MAX_INTEGER && value >= -MAX_INTEGER - 1n);
}

/** @throws DatabaseError for a parameter that would be changed */
export function assertStorable(parameters: readonly SqlValue[]): void {
  if (!parameters.every(isStorable))
    throw new DatabaseError(
      'invalid_value',
      'A parameter has NUL, half a surrogate pair or more than 64 bits.',
    );
}

/** Smaller numbers than this are 0 to @photostructure/sqlite, which takes them for integers. */
const MIN_NUMBER = 2 ** -51;

/** A number as a parameter that keeps its value: as text if it is tiny, which both databases convert for its column. */
export function numberParameter(value: number): number | string {
  return Math.abs(value) < MIN_NUMBER && value !== 0 ? String(value) : value;
}

/**
 * A whole number or a boolean as a parameter of SQLite. `node:sqlite` binds every number as a binary one, and
 * @photostructure/sqlite those of more than 32 bits: an expression or a column of texts would have `1.0` instead of `1`.
 */
export function integerParameter(value: number | boolean): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? BigInt(number) : number;
}
