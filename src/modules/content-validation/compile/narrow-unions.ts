import { dereference, isSchema, listOf, mapSubschemas, objectOf, type SchemaNode } from '../../../framework';

/** Limits recursion through `allOf`. */
const MAX_DEPTH = 8;

/** A union: its keyword, and its branches. */
interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly branches: readonly SchemaNode[];
}

/** The values of a member by which the branches of a union differ, of each branch. */
interface Tags {
  readonly name: string;
  readonly values: readonly (readonly unknown[])[];
}

/** Those of a constant. */
interface ConstantTags extends Tags {
  /** Whether each branch requires the member. That of a merge patch does not. */
  readonly isRequired: boolean;
}

/**
 * Rewrites unions so that a value which none of their branches accepts has the errors of the branch that is meant: the
 * branch of its `discriminator` or of a constant member, such as `kind`, or the only one for objects or lists. Ajv
 * reports the errors of all branches. A value that breaks the schema may be valid for the result: use it for errors only.
 * @param root resolves references
 */
export function narrowUnions(schema: SchemaNode, root: SchemaNode): SchemaNode {
  const narrowed = mapSubschemas(schema, (one) => narrowUnions(one, root));
  const keyword = (['anyOf', 'oneOf'] as const).find((one) => Array.isArray(schema[one]));
  if (keyword === undefined) return narrowed;
  const { [keyword]: branches, allOf, ...others } = narrowed;
  // Ajv applies no defaults in unions, but in conditions.
  const union: Union = { keyword, branches: listOf(branches).filter(isSchema).map(withoutDefaults) };
  if (union.branches.length !== listOf(branches).length) return narrowed;
  const choice = union.branches.length === 1 ? union.branches[0] : byKind(union, schema, root);
  return choice === undefined ? narrowed : { ...others, allOf: [...listOf(allOf), choice] };
}

function withoutDefaults({ default: _, ...schema }: SchemaNode): SchemaNode {
  return mapSubschemas(schema, withoutDefaults);
}

/** Chooses among the branches for objects, those for lists, and the others. */
function byKind(union: Union, schema: SchemaNode, root: SchemaNode): SchemaNode | undefined {
  const kinds = union.branches.map((one) => kindOf(one, root));
  if (kinds.includes(undefined)) return undefined;
  const of = (kind: string): SchemaNode | undefined => {
    const branches = union.branches.filter((_, at) => kinds[at] === kind);
    if (branches.length === 0) return undefined;
    if (branches.length === 1) return branches[0];
    const ofKind = { ...union, branches };
    return (kind === 'object' ? byTag(ofKind, schema, root) : undefined) ?? { [union.keyword]: branches };
  };
  const objects = of('object');
  const lists = of('array');
  const isMixed = new Set(kinds).size > 1;
  if (!isMixed) return objects === undefined || union.keyword in objects ? undefined : objects;
  if (objects === undefined && lists === undefined) return undefined;
  const shallow = union.branches.map((one, at) => (kinds[at] === 'scalar' ? one : { type: kinds[at] }));
  const others = { [union.keyword]: shallow };
  const orLists = lists === undefined ? others : { if: { type: 'array' }, then: lists, else: others };
  return objects === undefined ? orLists : { if: { type: 'object' }, then: objects, else: orLists };
}

/** Returns what a schema accepts; undefined if that is several of these. */
function kindOf(schema: SchemaNode, root: SchemaNode): 'object' | 'array' | 'scalar' | undefined {
  const parts = partsOf(schema, root);
  // Ajv knows it.
  if (parts.some(({ nullable }) => nullable === true)) return undefined;
  const types = parts.map(({ type, const: only, enum: values }) => {
    if (type !== undefined) return [type].flat();
    const allowed = only === undefined ? listOf(values) : [only];
    return allowed.length > 0 && allowed.every(isScalar) ? ['scalar'] : undefined;
  });
  const [first] = types.filter((one) => one !== undefined);
  if (first === undefined) return undefined;
  if (!first.includes('object') && !first.includes('array')) return 'scalar';
  return first.length === 1 ? (first[0] as 'object' | 'array') : undefined;
}

/** Chooses among the branches for objects by the member in which they differ. */
function byTag(union: Union, schema: SchemaNode, root: SchemaNode): SchemaNode | undefined {
  const constants = constantTags(union.branches, schema, root);
  if (constants !== undefined) {
    const { name, values, isRequired } = constants;
    const chosen = { allOf: [having(constants, values.flat()), ...choicesOf(union, constants)] };
    // Without the member, any branch may be meant.
    return isRequired
      ? chosen
      : { if: { required: [name] }, then: chosen, else: { [union.keyword]: union.branches } };
  }
  const declared = declaredTags(union.branches, schema, root);
  if (declared === undefined) return undefined;
  // Validation does not know the discriminator: another branch may accept the value.
  const whole: SchemaNode = { [union.keyword]: union.branches };
  const otherwise = { if: having(declared, declared.values.flat()), else: whole };
  // Not nested: a thousand conditions within each other would overflow the stack.
  return { if: whole, else: { allOf: [...choicesOf(union, declared), otherwise] } };
}

function choicesOf({ branches }: Union, tags: Tags): readonly SchemaNode[] {
  return branches.map((branch, at) => ({ if: having(tags, tags.values[at] ?? []), then: branch }));
}

function having({ name }: Tags, allowed: readonly unknown[]): SchemaNode {
  return { type: 'object', required: [name], properties: { [name]: { enum: allowed } } };
}

/** Reads the `discriminator`, if the branches are references without constants (OpenAPI 3.1.1, 4.8.25). */
function declaredTags(
  branches: readonly SchemaNode[],
  { discriminator }: SchemaNode,
  root: SchemaNode,
): Tags | undefined {
  const { propertyName, mapping } = objectOf(discriminator);
  if (typeof propertyName !== 'string') return undefined;
  if (branches.some((branch) => valuesOf(partsOf(branch, root), propertyName, root).length > 0))
    return undefined;
  const entries = Object.entries(objectOf(mapping));
  const values = branches.map(({ $ref: reference }) => {
    if (typeof reference !== 'string') return [];
    const schemaName = reference.slice(reference.lastIndexOf('/') + 1);
    const mapped = entries.filter(([, to]) => to === reference || to === schemaName).map(([value]) => value);
    return mapped.length > 0 ? mapped : [schemaName];
  });
  return areDistinct(values) ? { name: propertyName, values } : undefined;
}

/** Finds a member with other constants in each branch, preferably that of the `discriminator`, or a required one. */
function constantTags(
  branches: readonly SchemaNode[],
  { discriminator }: SchemaNode,
  root: SchemaNode,
): ConstantTags | undefined {
  const parts = branches.map((branch) => partsOf(branch, root));
  const names = (parts[0] ?? []).flatMap(({ properties }) => Object.keys(objectOf(properties)));
  const { propertyName } = objectOf(discriminator);
  let optional: ConstantTags | undefined;
  for (const name of typeof propertyName === 'string' ? [propertyName, ...names] : names) {
    const values = parts.map((one) => valuesOf(one, name, root));
    if (!areDistinct(values)) continue;
    const isRequired = parts.every((one) => one.some(({ required }) => listOf(required).includes(name)));
    if (isRequired) return { name, values, isRequired };
    optional ??= { name, values, isRequired };
  }
  return optional;
}

/** Returns the values that a member may have; none if there are others. */
function valuesOf(parts: readonly SchemaNode[], name: string, root: SchemaNode): readonly unknown[] {
  for (const { properties } of parts) {
    const member = dereference(root, objectOf(properties)[name]);
    if (member.const !== undefined) return [member.const];
    if (Array.isArray(member.enum)) return member.enum;
  }
  return [];
}

function areDistinct(values: readonly (readonly unknown[])[]): boolean {
  const all = values.flat();
  return values.every((one) => one.length > 0) && all.every(isScalar) && new Set(all).size === all.length;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Returns a schema without its reference, and those in its `allOf`. */
function partsOf(schema: SchemaNode, root: SchemaNode, depth = 0): readonly SchemaNode[] {
  const own = dereference(root, schema);
  if (depth === MAX_DEPTH) return [own];
  return [own, ...listOf(own.allOf).flatMap((one) => (isSchema(one) ? partsOf(one, root, depth + 1) : []))];
}
