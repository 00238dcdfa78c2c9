import { isSchema, listOf, objectOf, type SchemaNode } from '../../../framework';
import { declarationOf } from '../../content-validation';
import type { DerivedDefinitions } from './derived-definitions';
import { namesIn, partsInPlace, resolveBranch } from './patched-members';

/** Members next to a union: validating some thousand would overflow the stack. */
const MAX_MEMBERS = 500;

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
  const count = [...members.values()].reduce((sum, alternatives) => sum + alternatives.length, 0);
  return count > MAX_MEMBERS ? new Map() : members;
}

function declaredIn(branch: unknown, derived: DerivedDefinitions): readonly [string, unknown][] {
  const declaration = isSchema(branch) ? declarationOf(derived.root, branch) : 'none';
  if (typeof declaration === 'string') return [];
  return declaration.flatMap(({ schema }) => Object.entries(objectOf(schema.properties)));
}
