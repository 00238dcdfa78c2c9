import { isSchema, type SchemaNode } from '../../framework';
import type { DerivedDefinitions } from './derived-definitions';

/** How many schemas that speak of the same value are followed: definitions may lead to one another without an end. */
export const DEEPEST = 32;

/** The members that every entity has by a schema, whichever branch of a union it fits; one may come twice. */
export function requiredBy(schema: SchemaNode, derived: DerivedDefinitions, depth = 0): readonly string[] {
  const own: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return [
    ...own.filter((name) => typeof name === 'string'),
    ...partsOf(schema, derived, depth).flatMap((part) => requiredBy(part, derived, depth + 1)),
  ];
}

/** The members that a schema names, and those that it names by `allOf`. */
export function namesIn(schema: unknown, derived: DerivedDefinitions, depth = 0): readonly string[] {
  if (!isSchema(schema)) return [];
  return [
    ...(isSchema(schema.properties) ? Object.keys(schema.properties) : []),
    ...partsOf(schema, derived, depth).flatMap((part) => namesIn(part, derived, depth + 1)),
  ];
}

/** The schemas of `allOf`, those that they refer to written out. */
function partsOf(schema: SchemaNode, derived: DerivedDefinitions, depth: number): readonly SchemaNode[] {
  const parts: readonly unknown[] = Array.isArray(schema.allOf) && depth < DEEPEST ? schema.allOf : [];
  return parts.map((part) => writtenOut(part, derived)).filter(isSchema);
}

/** A branch, or the definition that it refers to with what it says beside. */
export function writtenOut(branch: unknown, derived: DerivedDefinitions): unknown {
  if (!isSchema(branch)) return branch;
  const { $ref: reference, ...beside } = branch;
  const target = derived.at(reference);
  return target === undefined ? branch : { ...target, ...beside };
}
