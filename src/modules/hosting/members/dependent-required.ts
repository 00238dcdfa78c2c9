import { isSchema, listOf, type SchemaNode } from '../../../framework';
import type { OptionalNames } from './member-changes';

/** Returns the names that remain required. */
export function withoutOptional(
  names: readonly unknown[],
  { changed, defaulted }: OptionalNames,
): readonly unknown[] {
  return names.filter((name) => typeof name !== 'string' || !(changed.has(name) || defaulted.has(name)));
}

/** Removes optional names from what members require of others. Returns undefined if nothing is left. */
export function dependentRequired(
  { dependentRequired: dependent }: SchemaNode,
  optional: OptionalNames,
): unknown {
  if (!isSchema(dependent)) return dependent;
  const members = Object.entries(dependent);
  const left = members.map(([name, names]) => [name, withoutOptional(listOf(names), optional)] as const);
  if (left.every(([, names], at) => names.length === listOf(members[at]?.[1]).length)) return dependent;
  const needed = left.filter(([, names]) => names.length > 0);
  return needed.length === 0 ? undefined : Object.fromEntries(needed);
}

/** Returns how many members remain required, whichever they are: the limit counts the optional ones as well. */
export function fewestMembers({ minProperties }: SchemaNode, { changed }: OptionalNames): unknown {
  if (typeof minProperties !== 'number' || changed.size === 0) return minProperties;
  return changed.size < minProperties ? minProperties - changed.size : undefined;
}
