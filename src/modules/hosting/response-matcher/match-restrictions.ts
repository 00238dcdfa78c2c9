import { isPattern, ownValue } from '../../../framework';
import { formats, isScalar, restrictsType } from '../../content-validation';

/** Adds a constant to the generated code, and returns its name. @param code its value */
type AddConstant = (code: string) => string;

/** Returns the condition, as code, under which a value does not match a keyword. @param value an expression of its type */
export type Restriction = (value: string, addConstant: AddConstant) => string;

/** How generated code checks a keyword. */
interface Check {
  /** Whether it covers the value of the keyword; a validator checks the others. */
  readonly covers: (limit: unknown, type: string) => boolean;
  /** @param limit as code */
  readonly failure: (value: string, limit: string, addConstant: AddConstant) => string;
}

const comparison = (operator: string, of = (value: string): string => value): Check => ({
  covers: Number.isFinite,
  failure: (value, limit) => `${of(value)} ${operator} ${limit}`,
});

const lengthOf = (list: string): string => `${list}.length`;

/** Code points are between half and all of the code units of a string: they are counted only if that leaves a doubt. */
const minLength: Check = {
  covers: Number.isSafeInteger,
  failure: (value, limit) => `${value}.length < 2 * ${limit} && codePointsIn(${value}) < ${limit}`,
};
const maxLength: Check = {
  covers: Number.isSafeInteger,
  failure: (value, limit) =>
    `${value}.length > 2 * ${limit} || (${value}.length > ${limit} && codePointsIn(${value}) > ${limit})`,
};

const pattern: Check = {
  // Without response checks, no validator has reported an invalid pattern.
  covers: isPattern,
  failure: (value, limit, addConstant) => `!${addConstant(`new RegExp(${limit}, 'u')`)}.test(${value})`,
};

const format: Check = {
  covers: (limit, type) => typeof limit === 'string' && formats.includes(limit) && restrictsType(limit, type),
  failure: (value, limit, addConstant) => `!${addConstant(`formatCheck(${limit})`)}(${value})`,
};

const values: Check = {
  covers: (limit) => Array.isArray(limit) && limit.length > 0 && limit.every(isScalar),
  failure: (value, limit, addConstant) => `!${addConstant(`new Set(${limit})`)}.has(${value})`,
};

const single: Check = { covers: isScalar, failure: (value, limit) => `${value} !== ${limit}` };

const ofNumbers: Readonly<Record<string, Check>> = {
  minimum: comparison('<'),
  maximum: comparison('>'),
  exclusiveMinimum: comparison('<='),
  exclusiveMaximum: comparison('>='),
  enum: values,
  const: single,
  format,
};

const CHECKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  string: { minLength, maxLength, pattern, format, enum: values, const: single },
  number: ofNumbers,
  integer: ofNumbers,
  boolean: { enum: values, const: single },
  array: { minItems: comparison('<', lengthOf), maxItems: comparison('>', lengthOf) },
};

/** Returns how generated code checks a keyword of a type; undefined if a validator does. */
export function restrictionOf(type: string, keyword: string, limit: unknown): Restriction | undefined {
  const checks = CHECKS[type];
  const check = checks === undefined ? undefined : ownValue(checks, keyword);
  if (check?.covers(limit, type) !== true) return undefined;
  return (value, addConstant) => check.failure(value, JSON.stringify(limit), addConstant);
}
