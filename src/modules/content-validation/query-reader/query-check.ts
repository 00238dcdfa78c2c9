import type { SchemaNode } from '../../../framework';
import { valueCheck, type ValueCheck } from './value-check';

/** Adds the defaults of absent parameters, and returns whether the values are valid. */
export type QueryCheck = (values: Record<string, unknown>) => boolean;

interface Parameter {
  readonly name: string;
  readonly isValid: ValueCheck;
  /** Of its type, and valid; undefined for none. */
  readonly default: unknown;
}

/**
 * Compiles the check of the values that a query was converted to. Loading Ajv and compiling a validator would delay the first
 * request with a query: see bench/NOTES.md.
 *
 * @param members the schemas of the parameters
 * @param required the names of those that a query must have
 * @returns undefined for schemas that are left to a validator
 */
export function compileQueryCheck(
  members: readonly (readonly [string, SchemaNode])[],
  required: unknown = [],
): QueryCheck | undefined {
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) return undefined;
  const names: readonly string[] = required;
  const parameters: Parameter[] = [];
  for (const [name, schema] of members) {
    const isValid = valueCheck(schema);
    if (isValid === undefined) return undefined;
    if ('default' in schema && !(hasType(schema.default, schema.type) && isValid(schema.default)))
      return undefined;
    parameters.push({ name, isValid, default: schema.default });
  }
  return (values) => {
    for (const { name, isValid, default: absent } of parameters) {
      const value = values[name];
      if (value !== undefined) {
        if (!isValid(value)) return false;
      } else if (absent !== undefined) values[name] = absent;
    }
    return names.every((name) => Object.hasOwn(values, name));
  };
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}
