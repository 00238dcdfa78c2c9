import { _, nil, type Code, type KeywordCxt } from 'ajv';
import {
  definitionPath,
  isAnnotation,
  isSchema,
  listOf,
  objectOf,
  resolveReference,
  type SchemaNode,
} from '../../../framework';
import { isScalar } from './value-key';

/** Limits recursion through `$ref` and `allOf`. */
const MAX_DEPTH = 8;

/** V8 does not optimize the code of larger unions, which would take longer than the limit of attempts allows. */
const MAX_BRANCHES = 100;

/** Values that are compared one after another, which takes less time than a look-up among them. */
const MAX_COMPARED = 8;

/** Keywords whose schemas may remove members before `properties` checks constants. They are not followed here. */
const CONDITIONAL = [
  '$dynamicRef',
  '$id',
  '$recursiveRef',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'patternProperties',
  'then',
];

/** Instead of the index of a branch: the value is not an object, or does not have the member. */
const UNKNOWN = -1;

/** The value is one that no branch has as a constant. */
const NONE = -2;

/** Returns the condition that a branch may match, by its index; undefined for a branch that must be tried. */
export type BranchChoice = (at: number) => Code | undefined;

type Scalar = boolean | null | number | string;

/** A member whose constants differ between branches. */
interface Tag {
  readonly name: string;
  /** The index of the branch, by the value of the member. */
  readonly branches: ReadonlyMap<Scalar, number>;
}

/**
 * Writes code that finds the branch of a union which a constant member of the value, such as `kind`, names: the others
 * with constants for the member cannot match. A valid item of a list would otherwise be tried with each branch before
 * its own. If the value names none of them, one error lists the constants.
 */
export function chooseBranch(context: KeywordCxt): BranchChoice {
  const { gen, data } = context;
  const tag = tagOf(context);
  if (tag === undefined) return () => undefined;
  const { name, branches } = tag;
  const value = _`${data}[${name}]`;
  const chosen = gen.let('chosen', UNKNOWN);
  const own = context.it.opts.ownProperties === true ? _` && Object.hasOwn(${data}, ${name})` : _``;
  const isObject = _`typeof ${data} === "object" && ${data} !== null && !Array.isArray(${data})`;
  gen.if(_`${isObject}${own} && ${value} !== undefined`, () => {
    const find =
      branches.size <= MAX_COMPARED
        ? [...branches].reduce<Code>(
            (other, [one, at]) => _`${value} === ${one} ? ${at} : ${other}`,
            _`${NONE}`,
          )
        : _`${gen.scopeValue('func', { ref: (one: Scalar) => branches.get(one) ?? NONE })}(${value})`;
    gen.assign(chosen, find);
    gen.if(_`${chosen} === ${NONE}`, () => reportNone(context, tag));
  });
  const tagged = new Set(branches.values());
  // Without the member, any branch may match, and the errors of all are of interest.
  return (at) => (tagged.has(at) ? _`(${chosen} === ${UNKNOWN} || ${chosen} === ${at})` : undefined);
}

/** Adds the error of a constant that no branch has. It is void if a branch without constants matches. */
function reportNone(context: KeywordCxt, { name, branches }: Tag): void {
  const { gen, it, keyword } = context;
  const schema = { properties: { [name]: { enum: [...branches.keys()] } } };
  const topSchemaRef = gen.scopeValue('schema', { ref: schema });
  const [first = 0] = branches.values();
  // That of a branch: the union has others than literals, whose errors would be merged.
  const errSchemaPath = `${it.errSchemaPath}/${keyword}/${first}`;
  context.subschema(
    { schema, schemaPath: nil, topSchemaRef, errSchemaPath, compositeRule: true },
    gen.name('_valid'),
  );
}

/** Finds a member that at least two branches give constants, each other ones. */
function tagOf({ schema, it: { schemaEnv, baseId, self } }: KeywordCxt): Tag | undefined {
  const { schema: root } = schemaEnv.root;
  const branches = listOf(schema);
  if (branches.length > MAX_BRANCHES || !isSchema(root) || !isSameBase(baseId, schemaEnv.root.baseId))
    return undefined;
  const addressed = (address: string): unknown => self.schemas[address]?.schema;
  const constants = branches.map((branch) => constantsOf(partsOf(branch, root, addressed)));
  for (const name of constants.find((one) => one.size > 0)?.keys() ?? []) {
    const all = constants.flatMap((one, at) =>
      (one.get(name) ?? []).map((value): [Scalar, number] => [value, at]),
    );
    const found = new Map(all);
    if (found.size === all.length && new Set(found.values()).size > 1) return { name, branches: found };
  }
  return undefined;
}

/** Whether references are to the root: Ajv adds an empty fragment to the base of some schemas. */
function isSameBase(one: string, other: string): boolean {
  return one.replace(/#$/, '') === other.replace(/#$/, '');
}

/**
 * Returns the constants of members of an object, by name, without those of members that another part may remove
 * (`x-read-only`) before they are checked.
 */
function constantsOf(parts: readonly SchemaNode[] | undefined): ReadonlyMap<string, readonly Scalar[]> {
  const constants = new Map<string, readonly Scalar[]>();
  const unknown = new Set<string>();
  for (const { properties } of parts ?? [])
    for (const [name, member] of Object.entries(objectOf(properties))) {
      const { const: only, enum: values, 'x-read-only': removal } = objectOf(member);
      const allowed = only === undefined ? listOf(values) : [only];
      if (removal === undefined && allowed.length > 0 && allowed.every(isScalar))
        constants.set(name, [...new Set(allowed)]);
      else if (!isTyped(member)) unknown.add(name);
    }
  for (const { properties, additionalProperties, unevaluatedProperties } of parts ?? [])
    if (isSchema(additionalProperties) || isSchema(unevaluatedProperties))
      for (const name of constants.keys()) if (!Object.hasOwn(objectOf(properties), name)) unknown.add(name);
  for (const name of unknown) constants.delete(name);
  return constants;
}

/** Whether a schema says no more of a member than its type, as that of a base which others specialize. */
function isTyped(member: unknown): boolean {
  return isSchema(member) && Object.keys(member).every((one) => one === 'type' || isAnnotation(one));
}

/**
 * Returns a schema, those that it refers to, and those in its `allOf`; undefined if others may apply to the same value.
 * @param root resolves references
 * @param addressed resolves those to other schemas
 */
function partsOf(
  schema: unknown,
  root: SchemaNode,
  addressed: (address: string) => unknown,
  depth = 0,
): readonly SchemaNode[] | undefined {
  if (typeof schema === 'boolean') return [];
  if (!isSchema(schema) || depth > MAX_DEPTH) return undefined;
  if (CONDITIONAL.some((keyword) => schema[keyword] !== undefined)) return undefined;
  const parts: SchemaNode[] = [schema];
  const { $ref: reference } = schema;
  const inner: (readonly SchemaNode[] | undefined)[] = listOf(schema.allOf).map((one) =>
    partsOf(one, root, addressed, depth + 1),
  );
  if (typeof reference === 'string') {
    // A longer path may lead through a schema with an `$id`, which references of its parts are relative to.
    const isInner = definitionPath(reference).length === 1;
    const target = isInner ? resolveReference(root, reference) : addressed(reference);
    inner.push(partsOf(target, isInner || !isSchema(target) ? root : target, addressed, depth + 1));
  }
  for (const one of inner) {
    if (one === undefined) return undefined;
    parts.push(...one);
  }
  return parts;
}
