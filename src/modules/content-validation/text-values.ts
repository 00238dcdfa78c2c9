import { pointerOf } from '../../framework';
import type { Validator } from './compile';

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
export function isRightWithout(schema: object): boolean {
  if (!('type' in schema) || schema.type !== 'object') return false;
  if (!Object.keys(schema).every((keyword) => HARMLESS.includes(keyword))) return false;
  const members = 'properties' in schema ? Object.values({ ...(schema.properties as object) }) : [];
  return members.every(
    (member: unknown) => typeof member === 'object' && member !== null && !('default' in member),
  );
}

export function namesOf(schema: object): readonly string[] {
  return 'properties' in schema ? Object.keys({ ...(schema.properties as object) }) : [];
}

/** A number as JSON has it (RFC 8259, 6), or with a sign: neither blank, nor hexadecimal, nor with blanks around it. */
const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Refuses what JavaScript takes for a number and nobody else does: `Number(' ')` is 0. */
export function strictly(
  texts: Readonly<Record<string, string | readonly string[]>>,
  value: unknown,
): ReturnType<Validator> {
  const typed = new Map(Object.entries({ ...(value as object) }));
  const odd = Object.entries(texts).filter(([name, text]) => {
    const pairs = [text].flat().map((one, at) => [one, [typed.get(name)].flat()[at]] as const);
    return pairs.some(([one, made]) =>
      typeof made === 'number' ? !NUMBER.test(one) : made === null && one !== '',
    );
  });
  if (odd.length === 0) return { value };
  return {
    errors: odd.map(([name]) => ({
      pointer: pointerOf([name]),
      keyword: 'type',
      message: 'must be number',
    })),
  };
}
