import { formatPointer, isPlainObject, ownValue } from '../../../../framework';
import { failedValidation, type ValidationError } from '../../../content-validation';
import { mergePatch } from '../../../hosting';
import { ExactNumber, formatExactJson, isExactNumberText } from '../../schema/exact-json';
import type { Entity } from '../../table/entity';
import type { TableColumnInfo } from '../../table/table';

/**
 * Merges JSON values of a patch into the stored ones (RFC 7396).
 * @param names the columns of these values
 * @param limit bytes of a value: without it, one would grow with each patch until nobody can read it
 * @throws Problem 422 for a value that grows beyond the limit
 */
export function mergedValues(names: readonly string[], patch: Entity, stored: Entity, limit: number): Entity {
  const merged = names.map((name): [string, unknown] => [name, mergePatch(stored[name], patch[name])]);
  const errors = merged.flatMap(([name, value]): readonly ValidationError[] => {
    const size = bytesOf(value);
    // A value that another program has stored can be reduced in several steps.
    if (size <= limit || size < bytesOf(stored[name])) return [];
    const message = `would have ${size} bytes with the patch; at most ${limit} are allowed`;
    return [{ pointer: formatPointer([name]), keyword: 'size', message }];
  });
  if (errors.length > 0) throw failedValidation(errors);
  return Object.fromEntries(merged);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(formatExactJson(value));
}

/** The columns whose values in a body have a text that responses may have in place of a number. */
export function columnsWithNumberTexts(
  columns: readonly TableColumnInfo[],
  body: Entity,
): readonly TableColumnInfo[] {
  return columns.filter(({ name, model }) => model.type === 'json' && hasNumberText(body[name]));
}

function hasNumberText(value: unknown): boolean {
  if (typeof value === 'string') return isExactNumberText(value);
  if (Array.isArray(value)) return value.some(hasNumberText);
  return isPlainObject(value) && Object.values(value).some(hasNumberText);
}

/**
 * Returns a body with the exact numbers of the stored JSON values where it has their digits as texts, as responses do: clients
 * send entities as they received them, also with fewer or more items of a list.
 */
export function withStoredNumbers(columns: readonly TableColumnInfo[], body: Entity, stored: Entity): Entity {
  const values = columns.map(({ name }) => {
    const known: StoredTexts = { numbers: new Map(), strings: new Set() };
    collectTexts(stored[name], known);
    return [name, withNumbers(body[name], stored[name], known)] as const;
  });
  return { ...body, ...Object.fromEntries(values) };
}

/** What the digits in a stored JSON value are. */
interface StoredTexts {
  readonly numbers: Map<string, ExactNumber>;
  readonly strings: Set<string>;
}

function collectTexts(stored: unknown, known: StoredTexts): void {
  if (typeof stored === 'string') known.strings.add(stored);
  else if (stored instanceof ExactNumber) known.numbers.set(stored.text, stored);
  else if (typeof stored === 'object' && stored !== null)
    for (const one of Object.values(stored)) collectTexts(one, known);
}

/** @param stored the value in the same place, which decides if other places have the same digits as another type */
function withNumbers(value: unknown, stored: unknown, known: StoredTexts): unknown {
  if (typeof value === 'string') {
    if (stored instanceof ExactNumber && stored.text === value) return stored;
    return known.strings.has(value) ? value : (known.numbers.get(value) ?? value);
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return value.map((one, at) => withNumbers(one, items[at], known));
  }
  if (!isPlainObject(value)) return value;
  const members = isPlainObject(stored) ? stored : {};
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withNumbers(one, ownValue(members, name), known)]),
  );
}
