import { isSchema } from '../../../framework';
import type { FieldData, JsonSchema } from './data';
import { resolveReference } from './reference';
import { typeName, valuesOfMap, type Resolve } from './type-name';

/** Deeper members are left to the schema: nobody reads a tree of nine levels. */
const DEEPEST = 8;

interface Context {
  readonly root: JsonSchema;
  readonly deepest: number;
  readonly resolve: Resolve;
}

/**
 * The fields that a JSON Schema (2020-12, TypeBox included) of an object describes, nested objects, arrays of
 * objects and maps with their members. References are followed within the schema; one that leads back to
 * where it is used ends the tree there. A schema of an array describes the fields of its items.
 *
 * @param deepest levels, those of arrays and maps included
 *
 * @example
 * fieldsFromSchema(Type.Object({ name: Type.String({ description: 'Its name' }) }));
 * // [{ name: 'name', description: 'Its name', required: true, type: 'string', schema: {…} }]
 */
export function fieldsFromSchema(schema: JsonSchema, deepest = DEEPEST): readonly FieldData[] {
  const context: Context = { root: schema, deepest, resolve: (part) => resolve(schema, part) };
  return membersOf(context.resolve(schema), context, []);
}

function membersOf(schema: JsonSchema, context: Context, path: readonly object[]): readonly FieldData[] {
  const identity = identityOf(schema);
  if (path.includes(identity) || path.length > context.deepest) return [];
  const inner = [...path, identity];
  const members = new Map<string, FieldData>();
  for (const part of partsOf(schema, context)) {
    for (const field of propertiesOf(part, context, inner)) members.set(field.name, field);
  }
  if (members.size > 0) return [...members.values()];
  const values = [schema.items, valuesOfMap(schema)].find(isSchema);
  return values === undefined ? [] : membersOf(context.resolve(values), context, inner);
}

function propertiesOf(schema: JsonSchema, context: Context, path: readonly object[]): readonly FieldData[] {
  const { properties, required } = schema;
  if (!isSchema(properties)) return [];
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, names.includes(name), property, context, path),
  );
}

function fieldOf(
  name: string,
  required: boolean,
  property: unknown,
  context: Context,
  path: readonly object[],
): FieldData {
  const schema = context.resolve(property);
  const { description, examples, example } = schema;
  const first: unknown = Array.isArray(examples) ? examples[0] : example;
  const fields = membersOf(schema, context, path);
  return {
    name,
    description: typeof description === 'string' ? description : '',
    required,
    type: typeName(schema, context.resolve),
    schema: withDefinitions(schema, context.root),
    ...(first === undefined ? {} : { example: first }),
    ...(fields.length === 0 ? {} : { fields }),
  };
}

/** The schema itself and those that it is put together from: an `allOf`, or the objects of a union. */
function partsOf(schema: JsonSchema, context: Context): readonly JsonSchema[] {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf];
  const parts = lists.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  return [schema, ...parts.map((part) => context.resolve(part))];
}

/** A schema that keeps its description beside a `$ref` is a new object each time; what is in it is not. */
function identityOf(schema: JsonSchema): object {
  const { properties, patternProperties, additionalProperties, items, allOf, anyOf, oneOf } = schema;
  const bodies = [properties, patternProperties, additionalProperties, items, allOf, anyOf, oneOf];
  return bodies.find((body) => typeof body === 'object' && body !== null) ?? schema;
}

function resolve(root: JsonSchema, part: unknown): JsonSchema {
  let schema = isSchema(part) ? part : {};
  const seen = new Set<string>();
  for (;;) {
    const { $ref: reference, ...beside } = schema;
    if (typeof reference !== 'string') return schema;
    const target = seen.has(reference) ? undefined : resolveReference(root, reference);
    seen.add(reference);
    schema = Object.keys(beside).length === 0 ? (target ?? {}) : { ...target, ...beside };
  }
}

/** A field's schema is read on its own, so it brings the definitions that it refers to. */
function withDefinitions(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const definitions = root.$defs;
  if (schema === root || definitions === undefined || '$defs' in schema) return schema;
  return JSON.stringify(schema).includes('"$ref"') ? { ...schema, $defs: definitions } : schema;
}
