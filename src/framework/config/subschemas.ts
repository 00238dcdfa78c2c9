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
 * @param replace is given, beside the subschema, the steps that lead to it
 */
export function mapSubschemas(
  schema: SchemaNode,
  replace: (subschema: SchemaNode, ...steps: readonly (string | number)[]) => SchemaNode,
): SchemaNode {
  const one = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
    isSchema(value) ? replace(value, ...steps) : value;
  const member = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (ONE.includes(keyword)) return [keyword, one(value, keyword)];
    if (LISTS.includes(keyword) && Array.isArray(value))
      return [keyword, value.map((inner, at) => one(inner, keyword, at))];
    if (MAPS.includes(keyword) && isSchema(value)) {
      const inner = Object.entries(value).map(([name, held]) => [name, one(held, keyword, name)] as const);
      return [keyword, Object.fromEntries(inner)];
    }
    return [keyword, value];
  };
  return Object.fromEntries(Object.entries(schema).map(member));
}

/**
 * The `discriminator` of a schema with each of the references in its `mapping` replaced (OpenAPI 3.1.1, 4.8.25).
 * @param replace undefined takes one out; it is given, beside the reference, the steps that lead to it
 * @returns nothing for a schema without one
 */
export function mapDiscriminator(
  { discriminator }: SchemaNode,
  replace: (reference: string, ...steps: readonly string[]) => unknown,
): SchemaNode {
  if (!isSchema(discriminator) || !isSchema(discriminator.mapping)) return {};
  const entries = Object.entries(discriminator.mapping).map(([value, to]): [string, unknown] => [
    value,
    typeof to === 'string' ? replace(to, 'discriminator', 'mapping', value) : to,
  ]);
  const mapping = Object.fromEntries(entries.filter(([, to]) => to !== undefined));
  return { discriminator: { ...discriminator, mapping } };
}

/** A schema and all that is inside, outermost first. */
export function allSubschemas(schema: SchemaNode): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  // Schemas of thousands of operations are gone through at every start: nothing is made anew for it.
  const visit = (value: unknown): void => {
    if (!isSchema(value)) return;
    found.push(value);
    for (const [keyword, held] of Object.entries(value)) {
      if (typeof held !== 'object' || held === null) continue;
      if (ONE.includes(keyword)) visit(held);
      else if (LISTS.includes(keyword) && Array.isArray(held)) held.forEach(visit);
      else if (MAPS.includes(keyword) && isSchema(held)) Object.values(held).forEach(visit);
    }
  };
  visit(schema);
  return found;
}
