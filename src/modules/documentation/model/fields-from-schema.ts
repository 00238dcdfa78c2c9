import { isSchema, resolvedSchema, withDefinitions } from '../../../framework';
import type { FieldData, JsonSchema } from './data';
import { membersOfSchema } from './members-of-schema';
import { typeName, valuesOfMap, type Resolve } from './type-name';

/** Deeper members are left to the schema: nobody reads a tree of nine levels. */
const DEEPEST = 8;

/** Inner fields of one schema: schemas that refer to others multiply, level by level, to any number. */
const MOST_INNER = 1_000;

interface Context {
  readonly root: JsonSchema;
  readonly deepest: number;
  readonly resolve: Resolve;
  /** Inner fields so far. */
  inner: number;
  /** How often members were left out. */
  cuts: number;
}

/**
 * The fields that a JSON Schema (2020-12, TypeBox included) of an object describes, nested objects, arrays of
 * objects and maps with their members. References are followed within the schema; one that leads back to
 * where it is used ends the tree there. A schema of an array describes the fields of its items. Of a tree with more
 * than a thousand inner fields there are fewer levels; a field whose members are left out is marked `cut`.
 *
 * @param deepest levels, those of arrays and maps included
 *
 * @example
 * fieldsFromSchema(Type.Object({ name: Type.String({ description: 'Its name' }) }));
 * // [{ name: 'name', description: 'Its name', required: true, type: 'string', schema: {…} }]
 */
export function fieldsFromSchema(schema: JsonSchema, deepest = DEEPEST): readonly FieldData[] {
  const all = fieldsTo(deepest, schema);
  if (all !== undefined) return all;
  let fields: readonly FieldData[] = [];
  for (let levels = 0; levels < deepest; levels += 1) {
    const more = fieldsTo(levels, schema);
    if (more === undefined) break;
    fields = more;
  }
  return fields;
}

/** So many levels; undefined where there are too many fields. */
function fieldsTo(deepest: number, schema: JsonSchema): readonly FieldData[] | undefined {
  const context: Context = {
    root: schema,
    deepest,
    resolve: (part) => resolvedSchema(schema, part),
    inner: 0,
    cuts: 0,
  };
  const fields = membersOf(context.resolve(schema), context, { identities: [], level: 0 });
  return context.inner <= MOST_INNER ? fields : undefined;
}

/** Where in the tree one is. */
interface Place {
  /** What leads there, arrays and maps included. */
  readonly identities: readonly object[];
  /** Fields that lead there. */
  readonly level: number;
}

function membersOf(schema: JsonSchema, context: Context, place: Place): readonly FieldData[] {
  const identity = identityOf(schema);
  const { identities, level } = place;
  if (identities.includes(identity)) return [];
  if (identities.length > context.deepest) {
    if (hasMembers(schema, context)) context.cuts += 1;
    return [];
  }
  const inner = { identities: [...identities, identity], level };
  const fields = propertiesOf(schema, context, inner);
  if (fields.length > 0) return fields;
  const values = valuesOf(schema);
  return values === undefined ? [] : membersOf(context.resolve(values), context, inner);
}

/** The schema of the places of a list, or of the values of a map. */
function valuesOf(schema: JsonSchema): JsonSchema | undefined {
  return [schema.items, valuesOfMap(schema)].find(isSchema);
}

function propertiesOf(schema: JsonSchema, context: Context, place: Place): readonly FieldData[] {
  const fields: FieldData[] = [];
  for (const [name, { required, schema: property }] of membersOfSchema(schema, context.resolve)) {
    if (place.level > 0) context.inner += 1;
    // It is tried again with fewer levels.
    if (context.inner > MOST_INNER) return [];
    fields.push(fieldOf(name, required, property, context, place));
  }
  return fields;
}

function fieldOf(
  name: string,
  required: boolean,
  property: unknown,
  context: Context,
  { identities, level }: Place,
): FieldData {
  const schema = context.resolve(property);
  const { description, examples, example } = { ...whole(schema, context), ...schema };
  const first: unknown = Array.isArray(examples) ? examples[0] : example;
  const { cuts } = context;
  const fields = membersOf(schema, context, { identities, level: level + 1 });
  const isCut = fields.length === 0 && context.cuts > cuts;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    required,
    type: typeName(schema, context.resolve),
    schema: alone(schema, context.root, level),
    ...(first === undefined ? {} : { example: first }),
    ...(fields.length === 0 ? {} : { fields }),
    ...(isCut ? { cut: true as const } : {}),
  };
}

/** Whether there are members, however deep in lists and maps. */
function hasMembers(schema: JsonSchema, context: Context): boolean {
  let inner: JsonSchema | undefined = schema;
  for (let depth = 0; inner !== undefined && depth <= DEEPEST; depth += 1) {
    if (membersOfSchema(inner, context.resolve).size > 0) return true;
    const values = valuesOf(inner);
    inner = values === undefined ? undefined : context.resolve(values);
  }
  return false;
}

/** What there is beside null in a choice of two: what is told of it is told of the choice. */
function whole({ anyOf, oneOf }: JsonSchema, { resolve }: Context): JsonSchema {
  const choices: unknown = anyOf ?? oneOf;
  const parts = Array.isArray(choices) ? choices.map(resolve).filter(({ type }) => type !== 'null') : [];
  return parts.length === 1 && Array.isArray(choices) && choices.length > 1 ? (parts[0] ?? {}) : {};
}

/** A schema that keeps its description beside a `$ref` is a new object each time; what is in it is not. */
function identityOf(schema: JsonSchema): object {
  const { properties, patternProperties, additionalProperties, items, allOf, anyOf, oneOf } = schema;
  const bodies = [properties, patternProperties, additionalProperties, items, allOf, anyOf, oneOf];
  return bodies.find((body) => typeof body === 'object' && body !== null) ?? schema;
}

/** Definitions that a field has picked out for itself. */
const MOST_PICKED = 200;

/**
 * A field's schema is read on its own, so it brings the definitions that it refers to. Inner fields are not written: they
 * have all that there are, which is one object for all.
 */
function alone(schema: JsonSchema, root: JsonSchema, level: number): JsonSchema {
  const definitions = root.$defs;
  if (schema === root || !isSchema(definitions) || '$defs' in schema) return schema;
  return withDefinitions(schema, definitions, level === 0 ? MOST_PICKED : 0);
}
