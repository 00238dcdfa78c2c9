import { isSchema } from '../../../framework';
import type { JsonSchema } from './data';

/** Resolves the references of a schema. */
export type Resolve = (schema: unknown) => JsonSchema;

/** Limits recursion through arrays and unions. */
const MAX_DEPTH = 6;

/**
 * Returns a short, human-readable name for the type of a schema.
 *
 * @example
 * typeName({ type: ['string', 'null'] }, resolve); // 'string or null'
 * typeName({ type: 'array', items: { type: 'object' } }, resolve); // 'array of object'
 */
export function typeName(schema: JsonSchema, resolve: Resolve, depth = 0): string {
  if (depth > MAX_DEPTH) return 'any';
  const next = (part: unknown) => typeName(resolve(part), resolve, depth + 1);
  const { type, items, anyOf, oneOf, allOf } = schema;
  if (type === 'array') return isSchema(items) ? `array of ${next(items)}` : 'array';
  if (type === 'object' && schema.properties === undefined) {
    const values = valuesOfMap(schema);
    return values === undefined ? 'object' : `map of ${next(values)}`;
  }
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.join(' or ');
  const choices: unknown = anyOf ?? oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.map(next))].join(' or ');
  if (Array.isArray(allOf) && allOf.length > 0) return next(allOf[0]);
  if (schema.properties !== undefined) return 'object';
  return typeOfValues(schema);
}

/** Returns the schema of the values of a map, such as TypeBox's `Record`. */
export function valuesOfMap(schema: JsonSchema): JsonSchema | undefined {
  const { patternProperties, additionalProperties } = schema;
  const candidates = [
    ...(isSchema(patternProperties) ? Object.values(patternProperties) : []),
    additionalProperties,
  ];
  return candidates.find(isSchema);
}

function typeOfValues(schema: JsonSchema): string {
  const values: readonly unknown[] = Array.isArray(schema.enum)
    ? schema.enum
    : 'const' in schema
      ? [schema.const]
      : [];
  const names = values.map((value) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
  );
  return names.length === 0 ? 'any' : [...new Set(names)].join(' or ');
}
