import { isSchema, dereference, withDefinitions } from '../../../framework';
import type { FieldData, JsonSchema } from './data';
import { membersOfSchema } from './members-of-schema';
import { typeName, valuesOfMap, type Resolve } from './type-name';

/** Deeper members are in the schema only. */
const MAX_DEPTH = 8;

/** Inner fields of one schema: references can multiply fields level by level. */
const MAX_INNER_FIELDS = 1_000;

interface Context {
  readonly root: JsonSchema;
  readonly maxLevels: number;
  readonly resolve: Resolve;
  /** Inner fields so far. */
  inner: number;
  /** How often members were omitted. */
  cuts: number;
}

/**
 * Returns the fields that a JSON Schema (2020-12, TypeBox included) describes: nested objects, arrays of
 * objects and maps with their members. References are resolved within the schema; recursion
 * ends the tree. A schema of an array describes the fields of its items. A tree with more
 * than a thousand inner fields gets fewer levels; a field whose members are omitted is marked `cut`.
 *
 * @param maxLevels number of levels, arrays and maps included
 *
 * @example
 * fieldsFromSchema(Type.Object({ name: Type.String({ description: 'Its name' }) }));
 * // [{ name: 'name', description: 'Its name', required: true, type: 'string', schema: {…} }]
 */
export function fieldsFromSchema(schema: JsonSchema, maxLevels = MAX_DEPTH): readonly FieldData[] {
  const all = fieldsUpToLevel(maxLevels, schema);
  if (all !== undefined) return all;
  let fields: readonly FieldData[] = [];
  for (let levels = 0; levels < maxLevels; levels += 1) {
    const more = fieldsUpToLevel(levels, schema);
    if (more === undefined) break;
    fields = more;
  }
  return fields;
}

/** Returns fields down to a level; undefined if there are too many. */
function fieldsUpToLevel(maxLevels: number, schema: JsonSchema): readonly FieldData[] | undefined {
  const context: Context = {
    root: schema,
    maxLevels,
    resolve: (part) => dereference(schema, part),
    inner: 0,
    cuts: 0,
  };
  const fields = membersOf(context.resolve(schema), context, { identities: [], level: 0 });
  return context.inner <= MAX_INNER_FIELDS ? fields : undefined;
}

/** The position in the tree. */
interface Position {
  /** The enclosing schemas, arrays and maps included. */
  readonly identities: readonly object[];
  /** The number of enclosing fields. */
  readonly level: number;
}

function membersOf(schema: JsonSchema, context: Context, position: Position): readonly FieldData[] {
  const identity = identityOf(schema);
  // Most schemas are those of plain values.
  if (identity === undefined) return [];
  const { identities, level } = position;
  if (identities.includes(identity)) return [];
  if (identities.length > context.maxLevels) {
    if (hasMembers(schema, context)) context.cuts += 1;
    return [];
  }
  const inner = { identities: [...identities, identity], level };
  const fields = propertiesOf(schema, context, inner);
  if (fields.length > 0) return fields;
  const values = valuesOf(schema);
  return values === undefined ? [] : membersOf(context.resolve(values), context, inner);
}

/** Returns the schema of the items of an array, or of the values of a map. */
function valuesOf(schema: JsonSchema): JsonSchema | undefined {
  return [schema.items, valuesOfMap(schema)].find(isSchema);
}

function propertiesOf(schema: JsonSchema, context: Context, position: Position): readonly FieldData[] {
  const fields: FieldData[] = [];
  for (const [name, { required, schema: property }] of membersOfSchema(schema, context.resolve)) {
    if (position.level > 0) context.inner += 1;
    // The caller retries with fewer levels.
    if (context.inner > MAX_INNER_FIELDS) return [];
    fields.push(fieldOf(name, required, property, context, position));
  }
  return fields;
}

function fieldOf(
  name: string,
  required: boolean,
  property: unknown,
  context: Context,
  { identities, level }: Position,
): FieldData {
  const schema = context.resolve(property);
  const choice = nonNullChoice(schema, context);
  const { description, examples, example } = choice === undefined ? schema : { ...choice, ...schema };
  const first: unknown = Array.isArray(examples) ? examples[0] : example;
  const { cuts } = context;
  const fields = membersOf(schema, context, { identities, level: level + 1 });
  const isCut = fields.length === 0 && context.cuts > cuts;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    required,
    type: typeName(schema, context.resolve),
    schema: standaloneSchema(schema, context.root, level),
    ...(first === undefined ? {} : { example: first }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(isCut ? { cut: true as const } : {}),
  };
}

/** Whether a schema has members, in nested arrays and maps too. */
function hasMembers(schema: JsonSchema, context: Context): boolean {
  let inner: JsonSchema | undefined = schema;
  for (let depth = 0; inner !== undefined && depth <= MAX_DEPTH; depth += 1) {
    if (membersOfSchema(inner, context.resolve).size > 0) return true;
    const values = valuesOf(inner);
    inner = values === undefined ? undefined : context.resolve(values);
  }
  return false;
}

/** Returns the other branch of a union with null, whose annotations apply to the union; undefined for other schemas. */
function nonNullChoice({ anyOf, oneOf }: JsonSchema, { resolve }: Context): JsonSchema | undefined {
  const choices: unknown = anyOf ?? oneOf;
  if (!Array.isArray(choices) || choices.length < 2) return undefined;
  const parts = choices.map(resolve).filter(({ type }) => type !== 'null');
  return parts.length === 1 ? parts[0] : undefined;
}

/** Keywords whose values may describe members. */
const BODIES: readonly string[] = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'allOf',
  'anyOf',
  'oneOf',
];

/**
 * Returns what describes the members: a schema with siblings of `$ref` is a new object each time; its body is not.
 * Undefined for a schema without members.
 */
function identityOf(schema: JsonSchema): object | undefined {
  for (const keyword of BODIES) {
    const body = schema[keyword];
    if (typeof body === 'object' && body !== null) return body;
  }
  return undefined;
}

/** Definitions that are copied into the schema of a field. */
const MAX_DEFINITIONS = 200;

/**
 * Adds the definitions that a field's schema refers to, because readers see it on its own. Inner fields are not serialized: they
 * share all definitions, which are one object.
 */
function standaloneSchema(schema: JsonSchema, root: JsonSchema, level: number): JsonSchema {
  const definitions = root.$defs;
  if (schema === root || !isSchema(definitions) || '$defs' in schema) return schema;
  return withDefinitions(schema, definitions, level === 0 ? MAX_DEFINITIONS : 0);
}
