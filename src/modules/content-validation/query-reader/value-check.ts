import { isSchema, type SchemaNode } from '../../../framework';
import { codePointsIn } from '../keywords/code-points';
import { formatCheck, restrictsType } from '../keywords/format-check';
import { formats } from '../keywords/formats';
import { isScalar } from '../keywords/value-key';
import { isOrderOf } from '../keywords/sort-order';
import { isAnnotation } from './text-types';

/** Whether a value is valid that a text was converted to. */
export type ValueCheck = (value: unknown) => boolean;

/** Returns the check of a keyword; undefined for one that is left to a validator. */
type Keyword = (limit: unknown, type: string) => ValueCheck | undefined;

const ofNumbers =
  (isValid: (value: number, limit: number) => boolean): Keyword =>
  (limit) =>
    typeof limit === 'number' && Number.isFinite(limit)
      ? (value) => isValid(value as number, limit)
      : undefined;

/** Code points are between half and all of the code units of a text: they are counted only if that leaves a doubt. */
const ofTexts =
  (isValid: (value: string, limit: number) => boolean): Keyword =>
  (limit) =>
    Number.isSafeInteger(limit) ? (value) => isValid(value as string, limit as number) : undefined;

const ofLists =
  (isValid: (length: number, limit: number) => boolean): Keyword =>
  (limit) =>
    Number.isSafeInteger(limit)
      ? (value) => isValid((value as readonly unknown[]).length, limit as number)
      : undefined;

const values: Keyword = (list) => {
  if (!Array.isArray(list) || list.length === 0 || !list.every(isScalar)) return undefined;
  const known = new Set<unknown>(list);
  return (value) => known.has(value);
};

const single: Keyword = (only) => (isScalar(only) ? (value) => value === only : undefined);

const format: Keyword = (name, type) =>
  typeof name === 'string' && formats.includes(name) && restrictsType(name, type)
    ? (formatCheck(name) as ValueCheck)
    : undefined;

const NUMBERS: Readonly<Record<string, Keyword>> = {
  enum: values,
  const: single,
  format,
  minimum: ofNumbers((value, limit) => value >= limit),
  maximum: ofNumbers((value, limit) => value <= limit),
  exclusiveMinimum: ofNumbers((value, limit) => value > limit),
  exclusiveMaximum: ofNumbers((value, limit) => value < limit),
};

const TEXTS: Readonly<Record<string, Keyword>> = {
  enum: values,
  const: single,
  format,
  minLength: ofTexts((value, limit) => value.length >= 2 * limit || codePointsIn(value) >= limit),
  maxLength: ofTexts((value, limit) => value.length <= limit || codePointsIn(value) <= limit),
  pattern: (source) => {
    if (typeof source !== 'string') return undefined;
    const expression = new RegExp(source, 'u');
    return (value) => expression.test(value as string);
  },
  'x-sort-by': (names) =>
    Array.isArray(names) ? (value) => isOrderOf(names as readonly string[], value as string) : undefined,
};

/** Of the number of values of a list. */
const LISTS: Readonly<Record<string, Keyword>> = {
  minItems: ofLists((length, limit) => length >= limit),
  maxItems: ofLists((length, limit) => length <= limit),
  items: (schema) => {
    const ofItem = isSchema(schema) ? valueCheck(schema) : undefined;
    return ofItem && ((value) => (value as readonly unknown[]).every(ofItem));
  },
};

const KEYWORDS: Readonly<Record<string, Readonly<Record<string, Keyword>>>> = {
  integer: NUMBERS,
  number: NUMBERS,
  boolean: { enum: values, const: single },
  string: TEXTS,
  array: LISTS,
};

/**
 * Returns the check of the value of a parameter, which has its type.
 * @returns undefined for a schema whose values are left to a validator
 */
export function valueCheck(schema: SchemaNode): ValueCheck | undefined {
  const { type } = schema;
  if (typeof type !== 'string' || !Object.hasOwn(KEYWORDS, type)) return undefined;
  const keywords = KEYWORDS[type] ?? {};
  const checks: ValueCheck[] = [];
  for (const keyword of Object.keys(schema)) {
    if (keyword === 'type' || keyword === 'default' || isAnnotation(keyword)) continue;
    const check = Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(schema[keyword], type) : undefined;
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return allOf(checks);
}

/** Most parameters have one or two. */
function allOf(checks: readonly ValueCheck[]): ValueCheck {
  const [first = (): boolean => true, second, ...others] = checks;
  if (second === undefined) return first;
  if (others.length === 0) return (value) => first(value) && second(value);
  return (value) => checks.every((check) => check(value));
}
