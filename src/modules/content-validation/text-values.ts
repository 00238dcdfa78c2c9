import { isSchema, formatPointer, dereference } from '../../framework';
import type { Validator } from './validators';

/** @param known the names to look at; all of them unless told */
export function toRecord(
  query: URLSearchParams,
  known?: readonly string[],
): Record<string, string | string[]> {
  const names = [...new Set(query.keys())].filter((name) => known === undefined || known.includes(name));
  return Object.fromEntries(
    names.map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** What such a schema may have beside members: nothing that an empty object could be against, or changed by. */
const HARMLESS = ['type', 'properties', 'additionalProperties', 'description', 'title'];

/** Whether an empty object is right as it is, and stays empty. */
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

/** A number as JSON has it (RFC 8259, 6), or with a sign: neither blank, nor hexadecimal, nor with blanks around it. */
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Whether a text is a number, and one for everybody. */
export function isNumberText(text: string): boolean {
  return NUMBER.test(text);
}

/** The parameters or fields that are whole numbers, or lists of them, or may be. */
export function integersOf(schema: object): ReadonlySet<string> {
  const members = 'properties' in schema ? Object.entries({ ...(schema.properties as object) }) : [];
  const root = { ...schema };
  const holds = (part: unknown, depth: number): boolean => {
    if (!isSchema(part) || depth > MAX_DEPTH) return false;
    const { type, items, anyOf = [], oneOf = [] } = dereference(root, part);
    return (
      [type].flat().includes('integer') || [items, anyOf, oneOf].flat().some((one) => holds(one, depth + 1))
    );
  };
  return new Set(members.filter(([, member]) => holds(member, 0)).map(([name]) => name));
}

/** Lists and unions in one another: a schema may refer to itself. */
const MAX_DEPTH = 4;

/**
 * Refuses what JavaScript takes for a number and nobody else does, as `Number(' ')` is 0, and numbers that it cannot
 * hold: those that would be infinite, and whole numbers that it would round.
 * @param integers the names whose numbers have to be exact
 */
export function checkNumbers(
  texts: Readonly<Record<string, string | readonly string[]>>,
  value: unknown,
  integers: ReadonlySet<string>,
): ReturnType<Validator> {
  const typed = new Map(Object.entries({ ...(value as object) }));
  const errors = Object.entries(texts).flatMap(([name, text]) => {
    const message = [text]
      .flat()
      .map((one, at) => complaint(one, [typed.get(name)].flat()[at], integers.has(name)))
      .find((found) => found !== undefined);
    return message === undefined ? [] : [{ pointer: formatPointer([name]), keyword: 'type', message }];
  });
  return errors.length === 0 ? { value } : { errors };
}

/** @param made what became of a text */
function complaint(text: string, made: unknown, isExact: boolean): string | undefined {
  if (typeof made !== 'number') return made === null && text !== '' ? 'must be number' : undefined;
  if (!isNumberText(text)) return 'must be number';
  if (isExact && !Number.isSafeInteger(made) && (Number.isInteger(made) || !Number.isFinite(made)))
    return `must be an integer from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;
  return Number.isFinite(made) ? undefined : `must be a number up to ${Number.MAX_VALUE}`;
}
