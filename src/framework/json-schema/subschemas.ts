import { isObject, listOf } from '../values/config-object';
import { parseFragment } from '../json/json-pointer';

/** A JSON Schema, or a schema within one. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Keywords with one schema (JSON Schema 2020-12, core 10 and 11, and validation 8.5). */
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
  'contentSchema',
];

const LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

const MAPS: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  // Of earlier drafts; dependencies may also be lists of names.
  'definitions',
  'dependencies',
];

/** The keywords with subschemas, and what they have. */
const KINDS: ReadonlyMap<string, 'one' | 'list' | 'map'> = new Map([
  ...ONE.map((keyword) => [keyword, 'one'] as const),
  ...LISTS.map((keyword) => [keyword, 'list'] as const),
  ...MAPS.map((keyword) => [keyword, 'map'] as const),
]);

/** Keywords whose subschemas apply to the same instance (JSON Schema 2020-12, core 10.2). */
const IN_PLACE = ['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies'];

/** Whether a keyword applies schemas to an instance, or to its members or items. */
export function hasSubschemas(keyword: string): boolean {
  return KINDS.has(keyword);
}

/** Keywords without assertions (JSON Schema 2020-12, validation 9, and core 8.3). */
const ANNOTATIONS: readonly string[] = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
];

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword);
}

/** Keywords that compose a schema from branches. */
export const COMPOSITIONS: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/** Returns the branches of a composed schema. */
export function branchesOf(schema: SchemaNode): readonly SchemaNode[] {
  return COMPOSITIONS.flatMap((keyword) => listOf(schema[keyword]).filter(isSchema));
}

/** Returns whether a value is a schema object, not a boolean schema. */
export function isSchema(value: unknown): value is SchemaNode {
  return isObject(value);
}

/**
 * Replaces each direct subschema. Only keywords with schemas are visited: a property named `items`, or an example that
 * looks like a schema, is unchanged.
 * @param replace receives the subschema and its path
 */
export function mapSubschemas(
  schema: SchemaNode,
  replace: (subschema: SchemaNode, ...steps: readonly (string | number)[]) => SchemaNode,
): SchemaNode {
  const one = (value: unknown, ...steps: readonly (string | number)[]): unknown =>
    isSchema(value) ? replace(value, ...steps) : value;
  const member = ([keyword, value]: [string, unknown]): [string, unknown] => {
    const kind = KINDS.get(keyword);
    if (kind === 'one') return [keyword, one(value, keyword)];
    if (kind === 'list' && Array.isArray(value))
      return [keyword, value.map((inner, at) => one(inner, keyword, at))];
    if (kind === 'map' && isSchema(value)) {
      const inner = Object.entries(value).map(
        ([name, schema]) => [name, one(schema, keyword, name)] as const,
      );
      return [keyword, Object.fromEntries(inner)];
    }
    return [keyword, value];
  };
  return Object.fromEntries(Object.entries(schema).map(member));
}

/**
 * Replaces each reference in the `mapping` of a schema's `discriminator` (OpenAPI 3.1.1, 4.8.25). The value of a branch
 * without an entry is the name of its schema: it gets an entry if its new reference has another name.
 * @param replace receives the reference and its path; returns undefined to remove it
 * @returns an empty object for a schema without one
 */
export function mapDiscriminator(
  { discriminator, anyOf, oneOf }: SchemaNode,
  replace: (reference: string, ...steps: readonly string[]) => unknown,
): SchemaNode {
  if (!isSchema(discriminator)) return {};
  const branches = new Map(
    [...listOf(anyOf), ...listOf(oneOf)].flatMap((branch): [name: string, reference: string][] =>
      isSchema(branch) && typeof branch.$ref === 'string' && branch.$ref !== '#'
        ? [[nameOf(branch.$ref), branch.$ref]]
        : [],
    ),
  );
  const declared = isSchema(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
  const given = declared.map(([value, to]): [string, unknown] => [
    value,
    // A name is that of a branch, if there is one.
    typeof to === 'string' ? (branches.get(to) ?? to) : to,
  ]);
  const mapped = new Set(given.flat());
  const replaced = (value: string, to: string): unknown => replace(to, 'discriminator', 'mapping', value);
  const entries = given.map(([value, to]): [string, unknown] => [
    value,
    typeof to === 'string' ? replaced(value, to) : to,
  ]);
  for (const [name, reference] of branches) {
    const to = mapped.has(name) || mapped.has(reference) ? undefined : replaced(name, reference);
    if (typeof to === 'string' && nameOf(to) !== name) entries.push([name, to]);
  }
  if (entries.length === 0 && !isSchema(discriminator.mapping)) return {};
  const mapping = Object.fromEntries(entries.filter(([, to]) => to !== undefined));
  return { discriminator: { ...discriminator, mapping } };
}

/** Returns the name of a referenced schema. */
function nameOf(reference: string): string {
  return parseFragment(reference).at(-1) ?? reference;
}

/** Lists a schema and all its subschemas, outermost first. */
export function allSubschemas(schema: SchemaNode): readonly SchemaNode[] {
  const found: SchemaNode[] = [];
  visitSubschemas(schema, (one) => found.push(one));
  return found;
}

type SchemaVisitor<State> = (one: SchemaNode, keywords: readonly string[], state: State) => unknown;

/**
 * Visits a schema and all its subschemas, outermost first.
 * @param visit receives each with its keywords; returns false to leave out its subschemas, or a keyword to leave out those of
 *   this keyword
 * @param state passed to `visit`, which needs no closure for each schema then
 */
export function visitSubschemas(
  schema: unknown,
  visit: (one: SchemaNode, keywords: readonly string[]) => unknown,
): void;
export function visitSubschemas<State>(schema: unknown, visit: SchemaVisitor<State>, state: State): void;
export function visitSubschemas(schema: unknown, visit: SchemaVisitor<unknown>, state?: unknown): void {
  // Runs over the schemas of thousands of operations at every start: allocates little else.
  if (!isSchema(schema)) return;
  const keywords = Object.keys(schema);
  const left = visit(schema, keywords, state);
  if (left === false) return;
  for (const keyword of keywords) {
    const kind = KINDS.get(keyword);
    if (kind === undefined || keyword === left) continue;
    const argument = schema[keyword];
    if (kind === 'one') visitSubschemas(argument, visit, state);
    else if (kind === 'list' && Array.isArray(argument))
      for (const inner of argument) visitSubschemas(inner, visit, state);
    else if (kind === 'map' && isSchema(argument))
      for (const name of Object.keys(argument)) visitSubschemas(argument[name], visit, state);
  }
}

/** Returns the references of a schema that apply to the same instance: a circular one would never terminate. */
export function inlineReferences(schema: unknown): readonly string[] {
  if (!isSchema(schema)) return [];
  const { $ref: reference } = schema;
  const inner = IN_PLACE.flatMap((keyword) => {
    const argument = schema[keyword];
    if (Array.isArray(argument)) return argument.flatMap(inlineReferences);
    if (!MAPS.includes(keyword)) return inlineReferences(argument);
    return isSchema(argument) ? Object.values(argument).flatMap(inlineReferences) : [];
  });
  return typeof reference === 'string' ? [reference, ...inner] : inner;
}
