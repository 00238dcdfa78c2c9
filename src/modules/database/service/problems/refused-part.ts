import { formatPointer, isPlainObject } from '../../../../framework';
import { isStorable } from '../../adapters/storable-value';
import type { Dialect } from '../../adapters/database-adapter';
import type { ColumnModel } from '../../introspection/table-model';
import { isBeyondYears } from '../../schema/canonical-notation';
import { hasLeapSecond } from '../../schema/column-codec';
import { hasRoundedNumber } from '../../schema/exact-json';

/** The part of a value that its column cannot have. */
export interface RefusedPart {
  /** JSON Pointer within the value; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

const ROUNDED =
  'is beyond ±(2^53 − 1), where JSON numbers do not keep every integer: send its digits as a string';
const BAD_NAME = 'has a name that contains U+0000 or half a surrogate pair';
const NOT_TEXT = 'must not contain U+0000 or half a surrogate pair';
const BEYOND_64_BITS = 'must be from -9223372036854775808 to 9223372036854775807';
const NO_YEAR = 'must have a year from 0001';
const BEYOND_YEARS = 'must be in the years 0000 to 9999 in UTC';
const LEAP_SECOND = 'must not have the leap second 60, which PostgreSQL moves to the next minute';

/** What is wrong with a part of a value, without its own parts. */
type Check = (part: unknown, name: string | number | undefined) => string | undefined;

/** Finds the first part of a refused value that explains the refusal; undefined if only the database knows the reason. */
export function refusedPart(
  value: unknown,
  model: Pick<ColumnModel, 'type' | 'base'>,
  dialect?: Dialect,
): RefusedPart | undefined {
  const { type } = model;
  // Numbers are refused before the database reads the texts, which only JSONB refuses.
  if (type === 'json' && hasRoundedNumber(value))
    return partOf(value, [], (part) =>
      typeof part === 'number' && hasRoundedNumber(part) ? ROUNDED : undefined,
    );
  return partOf(value, [], (part, name) =>
    typeof name === 'string' && !isStorable(name) ? BAD_NAME : textMessage(part, model, dialect),
  );
}

function partOf(value: unknown, path: readonly (string | number)[], check: Check): RefusedPart | undefined {
  const message = check(value, path.at(-1));
  if (message !== undefined) return { pointer: formatPointer(path), message };
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const part = partOf(member, [...path, isList ? Number(key) : key], check);
    if (part !== undefined) return part;
  }
  return undefined;
}

function textMessage(
  value: unknown,
  { type, base }: Pick<ColumnModel, 'type' | 'base'>,
  dialect: Dialect | undefined,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (!isStorable(value)) return NOT_TEXT;
  const isTimestamp = type.startsWith('timestamp');
  if (dialect !== 'sqlite' && (type === 'date' || isTimestamp) && value.startsWith('0000-')) return NO_YEAR;
  if (isTimestamp && isBeyondYears(value)) return BEYOND_YEARS;
  if (dialect === 'postgres' && (isTimestamp || type === 'time' || base === 'timetz') && hasLeapSecond(value))
    return LEAP_SECOND;
  return type === 'bigint' && /^-?\d+$/.test(value) && !isStorable(BigInt(value))
    ? BEYOND_64_BITS
    : undefined;
}
