import { formatPointer, isPlainObject } from '../../../../framework';
import { isStorable } from '../../adapters/storable-value';
import type { ColumnModel } from '../../introspection/table-model';
import { hasRoundedNumber } from '../../schema/exact-json';

/** The part of a value that its column cannot have. */
export interface RefusedPart {
  /** JSON Pointer within the value; empty for the value itself. */
  readonly pointer: string;
  readonly message: string;
}

const ROUNDED =
  'is beyond ±(2^53 − 1), where JSON numbers do not keep every integer: send its digits as a string';
const NOT_TEXT = 'must not contain U+0000 or half a surrogate pair';
const BEYOND_64_BITS = 'must be from -9223372036854775808 to 9223372036854775807';

/** Finds the first part of a refused value that explains the refusal; undefined if only the database knows the reason. */
export function refusedPart(value: unknown, { type }: Pick<ColumnModel, 'type'>): RefusedPart | undefined {
  return partOf(value, type, []);
}

function partOf(
  value: unknown,
  type: ColumnModel['type'],
  path: readonly (string | number)[],
): RefusedPart | undefined {
  if (Array.isArray(value) || isPlainObject(value)) {
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      const part = partOf(member, type, [...path, isList ? Number(key) : key]);
      if (part !== undefined) return part;
    }
    return undefined;
  }
  const message = messageOf(value, type);
  return message === undefined ? undefined : { pointer: formatPointer(path), message };
}

function messageOf(value: unknown, type: ColumnModel['type']): string | undefined {
  if (type === 'json' && hasRoundedNumber(value)) return ROUNDED;
  if (typeof value !== 'string') return undefined;
  if (!isStorable(value)) return NOT_TEXT;
  return type === 'bigint' && /^-?\d+$/.test(value) && !isStorable(BigInt(value))
    ? BEYOND_64_BITS
    : undefined;
}
