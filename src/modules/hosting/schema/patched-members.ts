import { isSchema, listOf, merged, type SchemaNode } from '../../../framework';
import type { DerivedDefinitions } from './derived-definitions';

/** Maximum depth of nested `allOf`: definitions may be recursive. */
const MAX_DEPTH = 32;

/** Collects the members that a schema always requires; names may repeat. */
export function requiredBy(schema: SchemaNode, derived: DerivedDefinitions, depth = 0): readonly string[] {
  const own = listOf(schema.required);
  return [
    ...own.filter((name) => typeof name === 'string'),
    ...partsOf(schema, derived, depth).flatMap((part) => requiredBy(part, derived, depth + 1)),
  ];
}

/** Collects the members that a schema declares, including in `allOf`. */
export function namesIn(schema: unknown, derived: DerivedDefinitions, depth = 0): readonly string[] {
  if (!isSchema(schema)) return [];
  return [
    ...(isSchema(schema.properties) ? Object.keys(schema.properties) : []),
    ...partsOf(schema, derived, depth).flatMap((part) => namesIn(part, derived, depth + 1)),
  ];
}

/** Returns the schemas of `allOf`, with references resolved. */
function partsOf(schema: SchemaNode, derived: DerivedDefinitions, depth: number): readonly SchemaNode[] {
  const parts: readonly unknown[] = Array.isArray(schema.allOf) && depth < MAX_DEPTH ? schema.allOf : [];
  return parts.map((part) => resolveBranch(part, derived)).filter(isSchema);
}

/** Resolves a reference; the keywords next to it apply as well. */
export function resolveBranch(branch: unknown, derived: DerivedDefinitions): unknown {
  if (!isSchema(branch)) return branch;
  const { $ref: reference, ...siblings } = branch;
  const target = derived.find(reference);
  return target === undefined ? branch : merged(target, siblings);
}
