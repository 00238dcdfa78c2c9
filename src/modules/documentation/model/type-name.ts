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
export function typeName(schema: JsonSchema, resolve: Resolve): string {
  return either(typeNames(schema, resolve, either));
}

/** Returns the names of the types that a value may have, whose items may have theirs in any order. */
export function comparableTypes(schema: JsonSchema, resolve: Resolve): readonly string[] {
  return typeNames(schema, resolve, (names) => either([...names].sort()));
}

function either(names: readonly string[]): string {
  return names.join(' or ');
}

/** @param join the types of items, or of the values of a map */
function typeNames(
  schema: JsonSchema,
  resolve: Resolve,
  join: (names: readonly string[]) => string,
  depth = 0,
): readonly string[] {
  if (depth > MAX_DEPTH) return ['any'];
  const next = (part: unknown): readonly string[] => typeNames(resolve(part), resolve, join, depth + 1);
  const { type, items, anyOf, oneOf, allOf } = schema;
  if (type === 'array') return [isSchema(items) ? `array of ${join(next(items))}` : 'array'];
  if (type === 'object' && schema.properties === undefined) {
    const values = valuesOfMap(schema);
    return [values === undefined ? 'object' : `map of ${join(next(values))}`];
  }
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map((one: unknown) => (typeof one === 'string' ? one : 'any'));
  const choices: unknown = anyOf ?? oneOf;
  if (Array.isArray(choices)) return [...new Set(choices.flatMap(next))];
  if (Array.isArray(allOf) && allOf.length > 0) return next(allOf[0]);
  if (schema.properties !== undefined) return ['object'];
  return typesOfValues(schema);
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

function typesOfValues(schema: JsonSchema): readonly string[] {
  const values: readonly unknown[] = Array.isArray(schema.enum)
    ? schema.enum
    : 'const' in schema
      ? [schema.const]
      : [];
  const names = values.map((value) =>
    value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value,
  );
  return names.length === 0 ? ['any'] : [...new Set(names)];
}
