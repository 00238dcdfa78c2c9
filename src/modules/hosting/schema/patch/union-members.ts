import { isSchema, listOf, objectOf, type SchemaNode } from '../../../../framework';
import { declarationOf } from '../../../content-validation';
import type { DerivedDefinitions } from '../derived-definitions';
import { namesIn, partsInPlace, resolveBranch } from './patched-members';

/** Schemas of members of a union that are declared next to it: validating twice as many would overflow the stack. */
const MAX_MEMBERS = 3_000;

/** Schemas of members in one schema: validators compile each to a function, which would overflow the stack with some thousand. */
const MAX_IN_SCHEMA = 500;

/**
 * Returns the members of unions that a schema closes as a whole with `unevaluatedProperties`, by name. In a patch, they are
 * declared next to the union: one that changes an entity from one branch to another removes members that the other branch
 * does not declare. Of a union with very many members, it returns none: patches cannot remove those of another branch.
 */
export function membersOfClosedUnions(
  schema: SchemaNode,
  derived: DerivedDefinitions,
): ReadonlyMap<string, readonly unknown[]> {
  const members = new Map<string, unknown[]>();
  if (schema.unevaluatedProperties !== false) return members;
  const parts = partsInPlace(schema, derived);
  const always = new Set(parts.flatMap(({ properties }) => Object.keys(objectOf(properties))));
  for (const union of parts.flatMap(({ anyOf, oneOf }) => [listOf(anyOf), listOf(oneOf)])) {
    const names = union.map((branch) => new Set(namesIn(resolveBranch(branch, derived), derived)));
    for (const [name, member] of union.flatMap((branch) => declaredIn(branch, derived))) {
      if (always.has(name) || names.every((own) => own.has(name))) continue;
      const others = members.get(name) ?? [];
      members.set(name, others);
      if (!others.includes(member)) others.push(member);
    }
  }
  const counts = [...members.values()].map((alternatives) => alternatives.length);
  const isTooLarge =
    counts.some((one) => one > MAX_IN_SCHEMA) || counts.reduce((sum, one) => sum + one, 0) > MAX_MEMBERS;
  return isTooLarge ? new Map() : members;
}

/** Declares the members of closed unions in a patch, with their number of schemas; many are declared in several parts. */
export function withUnionMembers(
  patch: SchemaNode,
  members: readonly (readonly [name: string, member: unknown, count: number])[],
  derived: DerivedDefinitions,
): SchemaNode {
  const parts: [string, unknown][][] = [];
  let count = Infinity;
  for (const [name, member, alternatives] of members) {
    count += alternatives;
    if (count > MAX_IN_SCHEMA) {
      parts.push([]);
      count = alternatives;
    }
    parts.at(-1)?.push([name, member]);
  }
  const [first, ...more] = parts.map((part): SchemaNode => Object.fromEntries(part));
  if (first === undefined) return patch;
  if (more.length === 0) return { ...patch, properties: { ...objectOf(patch.properties), ...first } };
  const allOf = [first, ...more].map((properties) => {
    const $ref = derived.newReference('UnionMembers');
    derived.define($ref, { properties });
    return { $ref };
  });
  return { ...patch, allOf: [...listOf(patch.allOf), ...allOf] };
}

function declaredIn(branch: unknown, derived: DerivedDefinitions): readonly [string, unknown][] {
  const declaration = isSchema(branch) ? declarationOf(derived.root, branch) : 'none';
  if (typeof declaration === 'string') return [];
  return declaration.flatMap(({ schema }) => Object.entries(objectOf(schema.properties)));
}
