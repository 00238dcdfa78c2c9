import { isSchema, listOf, objectOf, type SchemaNode } from '../../../../framework';
import type { DerivedDefinitions } from '../derived-definitions';
import { declaringIn, membersByName, othersIn, ReadOnlyParts } from './read-only-parts';
import { isClosed } from './removed-members';

/** Maximum depth of nested `allOf` and unions: definitions may be recursive. */
const MAX_DEPTH = 32;

/** Collects the members that a schema always requires; names may repeat. */
export function requiredBy(schema: SchemaNode, derived: DerivedDefinitions): readonly string[] {
  return withParts(schema, derived).flatMap(({ required }) =>
    listOf(required).filter((name) => typeof name === 'string'),
  );
}

/** Collects the members that a schema declares, including in `allOf` and the branches of unions; names may repeat. */
export function namesIn(
  schema: unknown,
  derived: DerivedDefinitions,
  depth = 0,
  visited = new Set<SchemaNode>(),
): readonly string[] {
  // Branches often refer to the same definition.
  if (!isSchema(schema) || visited.has(schema)) return [];
  visited.add(schema);
  return [
    ...Object.keys(objectOf(schema.properties)),
    ...partsOf(schema, derived, depth, 'allOf', 'anyOf', 'oneOf').flatMap((part) =>
      namesIn(part, derived, depth + 1, visited),
    ),
  ];
}

/**
 * Returns the keywords of members that a schema declares under a condition: whether it applies, and what they must be then,
 * depends on the whole entity. A patch may have them nevertheless, unless they, or what is in them, are read-only.
 */
export function conditionalMembers(schema: SchemaNode, derived: DerivedDefinitions): SchemaNode {
  const { if: condition, then, else: otherwise, dependentSchemas } = schema;
  const parts = [condition, then, otherwise, ...Object.values(objectOf(dependentSchemas))].filter(isSchema);
  const declaring = declaringIn(derived.root, parts);
  if (declaring.length === 0) return {};
  const readOnly = new ReadOnlyParts(derived);
  const isWritable = (member: unknown): boolean => !readOnly.isReadOnly(member);
  const patterns = [...membersByName(declaring, 'patternProperties')].filter(([, all]) =>
    all.some(isWritable),
  );
  const others = othersIn(declaring);
  const partsOfEach = (members: Iterable<readonly [string, readonly unknown[]]>): SchemaNode =>
    Object.fromEntries([...members].map(([name, all]) => [name, readOnly.of(all)]));
  return {
    properties: partsOfEach(membersByName(declaring, 'properties')),
    patternProperties: partsOfEach(patterns),
    ...(others.some(isWritable) ? { additionalProperties: readOnly.of(others) } : {}),
  };
}

/**
 * Adds the members that a schema declares under a condition to its patch, which declares its own. To its
 * `additionalProperties`, they are not known: of those, only read-only ones matter.
 */
export function withConditional(patch: SchemaNode, conditional: SchemaNode): SchemaNode {
  const { additionalProperties: others } = patch;
  const members = Object.entries(objectOf(conditional.properties)).flatMap(
    ([name, member]): [string, unknown][] => {
      if (others === undefined) return [[name, member]];
      if (others === false || Object.keys(objectOf(member)).length === 0) return [];
      return [[name, isSchema(others) ? { allOf: [others, member] } : member]];
    },
  );
  const own = objectOf(patch.properties);
  // The own ones remain the first.
  const properties = { ...own, ...Object.fromEntries(members), ...own };
  const { patternProperties, additionalProperties } = conditional;
  const hasPatterns = others === undefined && Object.keys(objectOf(patternProperties)).length > 0;
  return {
    ...patch,
    ...(members.length === 0 ? {} : { properties }),
    ...(hasPatterns ? patternsOf(patch, patternProperties) : {}),
    ...(others === undefined && additionalProperties !== undefined ? { additionalProperties } : {}),
  };
}

/** A schema with patterns of its own is no longer closed by `unknown_members`; one with a condition is. */
function patternsOf(patch: SchemaNode, patternProperties: unknown): SchemaNode {
  const own = objectOf(patch.patternProperties);
  return patch.if === undefined
    ? { if: {}, then: { patternProperties } }
    : { patternProperties: { ...objectOf(patternProperties), ...own } };
}

/** Returns the schemas of keywords such as `allOf`, with references resolved. */
function partsOf(
  schema: SchemaNode,
  derived: DerivedDefinitions,
  depth: number,
  ...keywords: readonly string[]
): readonly SchemaNode[] {
  if (depth >= MAX_DEPTH) return [];
  return keywords
    .flatMap((keyword) => listOf(schema[keyword]))
    .map((part) => resolveBranch(part, derived))
    .filter(isSchema);
}

/** Returns a schema with those that always apply to the same value: what it refers to, and those in `allOf`, each once. */
export function partsInPlace(schema: SchemaNode, derived: DerivedDefinitions): readonly SchemaNode[] {
  return withParts(resolveBranch(schema, derived), derived);
}

function withParts(
  schema: SchemaNode,
  derived: DerivedDefinitions,
  depth = 0,
  visited = new Set<SchemaNode>(),
): readonly SchemaNode[] {
  if (visited.has(schema)) return [];
  visited.add(schema);
  return [
    schema,
    ...partsOf(schema, derived, depth, 'allOf').flatMap((part) =>
      withParts(part, derived, depth + 1, visited),
    ),
  ];
}

/** Resolves a reference, repeatedly; the keywords next to it apply as well. */
export function resolveBranch(branch: SchemaNode, derived: DerivedDefinitions): SchemaNode;
export function resolveBranch(branch: unknown, derived: DerivedDefinitions): unknown;
export function resolveBranch(branch: unknown, derived: DerivedDefinitions): unknown {
  let resolved = branch;
  for (let depth = 0; depth < MAX_DEPTH && isSchema(resolved); depth += 1) {
    const target = derived.resolve(resolved);
    if (target === undefined) break;
    resolved = target;
  }
  return resolved;
}

/** Whether a branch, or a part of it in `allOf` or a union, allows no other members. */
export function isClosedWithParts(
  branch: unknown,
  derived: DerivedDefinitions,
  depth = 0,
  visited = new Set<SchemaNode>(),
): boolean {
  if (isClosed(branch)) return true;
  if (!isSchema(branch) || visited.has(branch)) return false;
  visited.add(branch);
  return partsOf(branch, derived, depth, 'allOf', 'anyOf', 'oneOf').some((part) =>
    isClosedWithParts(part, derived, depth + 1, visited),
  );
}

/** Counts the branches, and the parts of them in `allOf` or a union, that allow no other members. */
export function countClosed(
  branches: readonly unknown[],
  derived: DerivedDefinitions,
  depth = 0,
  visited = new Set<SchemaNode>(),
): number {
  let count = 0;
  for (const branch of branches) {
    if (!isSchema(branch) || visited.has(branch)) continue;
    visited.add(branch);
    if (isClosed(branch)) count += 1;
    const parts = partsOf(branch, derived, depth, 'allOf', 'anyOf', 'oneOf');
    count += countClosed(parts, derived, depth + 1, visited);
  }
  return count;
}

/**
 * Returns the schemas with `additionalProperties: false` of which a value of a branch matches at least one; undefined if it
 * need not match any.
 */
export function closedLeaves(
  branch: unknown,
  derived: DerivedDefinitions,
  depth = 0,
): readonly SchemaNode[] | undefined {
  if (!isSchema(branch)) return undefined;
  if (branch.additionalProperties === false) return [branch];
  const leavesOf = (keyword: string): readonly (readonly SchemaNode[] | undefined)[] =>
    partsOf(branch, derived, depth, keyword).map((part) => closedLeaves(part, derived, depth + 1));
  const inPart = leavesOf('allOf').find((leaves) => leaves !== undefined);
  if (inPart !== undefined) return inPart;
  for (const keyword of ['anyOf', 'oneOf']) {
    const leaves = leavesOf(keyword).filter((one) => one !== undefined);
    if (leaves.length > 0 && leaves.length === listOf(branch[keyword]).length) return leaves.flat();
  }
  return undefined;
}
