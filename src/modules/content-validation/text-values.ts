import { isDouble, isSchema, formatPointer, dereference } from '../../framework';
import { ROUNDED } from './error-messages';
import { MAX_DEPTH, membersIn } from './form-values';
import type { ValidationError, Validator } from './validator';

/** @param known the names to include; defaults to all */
export function toRecord(
  query: URLSearchParams,
  known?: readonly string[],
): Record<string, string | string[]> {
  // In one pass: `getAll` reads the whole query, for each of its names.
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    const others = values.get(name);
    if (others !== undefined) others.push(value);
    else if (known === undefined || known.includes(name)) values.set(name, [value]);
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]),
  );
}

/** Keywords that an empty object cannot violate, and that do not change it. */
const HARMLESS = ['type', 'properties', 'additionalProperties', 'description', 'title'];

/** Returns whether an empty object is valid and stays empty. */
export function acceptsEmpty(schema: object): boolean {
  if (!('type' in schema) || schema.type !== 'object') return false;
  if (!Object.keys(schema).every((keyword) => HARMLESS.includes(keyword))) return false;
  const members = 'properties' in schema ? Object.values({ ...(schema.properties as object) }) : [];
  return members.every(
    (member: unknown) => typeof member === 'object' && member !== null && !('default' in member),
  );
}

export function propertyNames(schema: object): readonly string[] {
  return 'properties' in schema ? Object.keys({ ...(schema.properties as object) }) : [];
}

/** The keywords that fail for a list where the schema has a single value. */
const SINGLE_VALUE = ['type', 'enum', 'const', 'x-file'];

/**
 * Replaces the errors of a name that is repeated, though it has a single value, by one that says so.
 * @param sent the values by name, with lists for names that are repeated
 */
export function nameRepeated(
  sent: Readonly<Record<string, unknown>>,
  errors: readonly ValidationError[],
): readonly ValidationError[] {
  // A schema that allows lists has errors inside the list, or of a union.
  const lists = new Set(errors.flatMap((error) => listPointer(error) ?? []));
  const single = new Set(
    errors.flatMap(({ pointer, keyword }) => (SINGLE_VALUE.includes(keyword) ? [pointer] : [])),
  );
  const repeated = Object.entries(sent).flatMap(([name, values]) => {
    const pointer = formatPointer([name]);
    if (!Array.isArray(values) || lists.has(pointer) || !single.has(pointer)) return [];
    const times = values.length === 2 ? 'twice' : `${values.length} times`;
    return [{ pointer, keyword: 'maxItems', message: `is given ${times}, but has a single value` }];
  });
  if (repeated.length === 0) return errors;
  const replaced = new Set(repeated.map(({ pointer }) => pointer));
  return [...errors.filter(({ pointer }) => !replaced.has(pointer)), ...repeated];
}

function listPointer({ pointer, keyword }: ValidationError): string | undefined {
  const end = pointer.indexOf('/', 1);
  if (end !== -1) return pointer.slice(0, end);
  return keyword === 'anyOf' || keyword === 'oneOf' ? pointer : undefined;
}

/** A JSON number (RFC 8259, 6), optionally with a sign; not hexadecimal, and without surrounding white space. */
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Returns whether a text is a number in JSON syntax. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

/** Returns the names of members that are or may be integers or lists of integers. */
export function integersOf(schema: object): ReadonlySet<string> {
  const root = { ...schema };
  const holds = (part: unknown, depth: number): boolean => {
    if (!isSchema(part) || depth > MAX_DEPTH) return false;
    const { type, items, anyOf = [], oneOf = [], allOf = [] } = dereference(root, part);
    return (
      [type].flat().includes('integer') ||
      [items, anyOf, oneOf, allOf].flat().some((one) => holds(one, depth + 1))
    );
  };
  return new Set(membersIn(root).flatMap(([name, member]) => (holds(member, 0) ? [name] : [])));
}

/**
 * Rejects text that only JavaScript reads as a number (`Number(' ')` is 0), infinite numbers, and integers that would
 * be rounded.
 * @param integers the names whose numbers are integers
 * @param isExact whether all numbers must be doubles
 */
export function checkNumbers(
  texts: Readonly<Record<string, string | readonly string[]>>,
  value: unknown,
  integers: ReadonlySet<string>,
  isExact = false,
): ReturnType<Validator> {
  const typed = value as Readonly<Record<string, unknown>>;
  const errors: ValidationError[] = [];
  for (const name of Object.keys(texts)) {
    const coerced = typed[name];
    // Most fields of a large form: not converted.
    if (typeof coerced === 'string') continue;
    const values: readonly unknown[] = [coerced].flat();
    const isInteger = integers.has(name);
    const message = [texts[name] ?? '']
      .flat()
      .map((one, at) => numberError(one, values[at], isInteger, isExact))
      .find((found) => found !== undefined);
    const keyword = message === ROUNDED ? 'precision' : 'type';
    if (message !== undefined) errors.push({ pointer: formatPointer([name]), keyword, message });
  }
  return errors.length === 0 ? { value } : { errors };
}

/** @param coerced the coerced value of the text */
function numberError(
  text: string,
  coerced: unknown,
  isInteger: boolean,
  isExact: boolean,
): string | undefined {
  if (typeof coerced !== 'number') return coerced === null && text !== '' ? 'must be number' : undefined;
  if (!isNumberText(text)) return 'must be number';
  if (isInteger && !Number.isSafeInteger(coerced) && (Number.isInteger(coerced) || !Number.isFinite(coerced)))
    return `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
  if (!Number.isFinite(coerced)) return `must be a number up to ${Number.MAX_VALUE}`;
  return isExact && !isDouble(text.replace(/^\+/, '')) ? ROUNDED : undefined;
}
