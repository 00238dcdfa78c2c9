/** A JSON Schema, or a schema within one. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Keywords that hold one schema (JSON Schema 2020-12, core 10 and 11). */
const ONE: readonly string[] = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];

const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

const MAPS: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
];

/** Whether a value is a schema object; the schemas `true` and `false` are not. */
export function isSchema(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A schema with each of its direct subschemas replaced. Knows where schemas stand, so that a property named
 * `items` or an example that looks like a schema is left alone.
 */
export function mapSubschemas(
  schema: SchemaNode,
  replace: (subschema: SchemaNode) => SchemaNode,
): SchemaNode {
  const one = (value: unknown): unknown => (isSchema(value) ? replace(value) : value);
  const member = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (ONE.includes(keyword)) return [keyword, one(value)];
    if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(one)];
    if (MAPS.includes(keyword) && isSchema(value)) {
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, one(inner)]))];
    }
    return [keyword, value];
  };
  return Object.fromEntries(Object.entries(schema).map(member));
}

/** A schema and all that is inside, outermost first. */
export function allSubschemas(schema: SchemaNode): readonly SchemaNode[] {
  const found: SchemaNode[] = [schema];
  mapSubschemas(schema, (inner) => {
    found.push(...allSubschemas(inner));
    return inner;
  });
  return found;
}
