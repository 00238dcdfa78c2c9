import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import { areEqual, isList, isPlainObject, parsePointer } from '../../../framework';
import { isScalar, valueKey } from './value-key';

/** Values that are compared one after another, which takes less time than a look-up among them. */
const MAX_COMPARED = 20;

/** After Ajv's keywords of the same kind, whose order is that of the errors. */
const BEFORE = 'not';

/**
 * Replaces Ajv's `enum` (JSON Schema Validation, 6.1.2), with the same errors. Ajv compares a value with each allowed
 * one: 30,000 items of 500 objects occupied the process for a second. It also calls members of bodies that have the names
 * of methods.
 */
export const enumKeyword: CodeKeywordDefinition = {
  keyword: 'enum',
  schemaType: 'array',
  before: BEFORE,
  error: {
    message: 'must be equal to one of the allowed values',
    params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
  },
  code(context) {
    const allowed = context.schema as readonly unknown[];
    // The metaschema allows it.
    if (allowed.length === 0)
      throw new Error(`${locationOf(context)} is an empty list; it must NOT have fewer than 1 items`);
    context.pass(isOneOf(context, allowed));
  },
};

/** Replaces Ajv's `const` (6.1.3) for the same reasons, with the same errors. */
export const constKeyword: CodeKeywordDefinition = {
  keyword: 'const',
  before: BEFORE,
  error: {
    message: 'must be equal to constant',
    params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`,
  },
  code(context) {
    context.pass(isOneOf(context, [context.schema]));
  },
};

/** Writes where a keyword is, as for schemas that the metaschema refuses. */
function locationOf({ keyword, it: { errSchemaPath } }: KeywordCxt): string {
  return [...parsePointer(errSchemaPath.slice(1)), keyword].join('.');
}

/** Returns the condition that the value is one of the allowed ones. */
function isOneOf({ gen, data }: KeywordCxt, allowed: readonly unknown[]): Code {
  if (allowed.length <= MAX_COMPARED && allowed.every(isScalar))
    return allowed
      .map((one) => _`${data} === ${one}`)
      .reduce((condition, next) => _`${condition} || ${next}`);
  return _`${gen.scopeValue('func', { ref: membershipOf(allowed) })}(${data})`;
}

function membershipOf(allowed: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(allowed.filter((one) => !isStructure(one)));
  const structures = allowed.filter(isStructure);
  if (structures.length === 0) return (value) => scalars.has(value);
  const isAmong = structures.length <= MAX_COMPARED ? comparison(structures) : lookUp(structures);
  return (value) => (isStructure(value) ? isAmong(value) : scalars.has(value));
}

/** Takes no longer than the allowed values are, however large the value is. */
function comparison(structures: readonly unknown[]): (value: unknown) => boolean {
  return (value) => structures.some((one) => areEqual(one, value));
}

function lookUp(structures: readonly unknown[]): (value: unknown) => boolean {
  const keys = new Set(structures.map((one) => valueKey(one)));
  const sizes = new Set(structures.map(sizeOf));
  return (value) => sizes.has(sizeOf(value)) && keys.has(valueKey(value));
}

function sizeOf(structure: unknown): number {
  return Object.keys(structure as object).length;
}

/** Files, for example, are equal to no value of a schema. */
function isStructure(value: unknown): boolean {
  return isList(value) || isPlainObject(value);
}
