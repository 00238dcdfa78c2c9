import type { TSchema } from '@sinclair/typebox';
import { branchesOf, isSchema, type SchemaNode } from './subschemas';
import { isObject } from '../values/config-object';

/** The schema of each top-level configuration key, by key. */
export type SectionSchemas = ReadonlyMap<string, TSchema>;

/** A schema that describes a key, and whether the key names an entry of a map instead of a declared member. */
export interface MemberSchema {
  readonly schema: SchemaNode;
  readonly isName: boolean;
}

/** Returns the schemas that describe the value at a key of an object, or at a list index. */
export function memberSchemas(schema: SchemaNode, key: string | number): readonly MemberSchema[] {
  const inBranches = branchesOf(schema).flatMap((branch) => memberSchemas(branch, key));
  if (typeof key === 'number') {
    return [
      ...[schema.items].filter(isSchema).map((node) => ({ schema: node, isName: true })),
      ...inBranches,
    ];
  }
  const { properties, patternProperties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    return [
      ...[properties[key]].filter(isSchema).map((node) => ({ schema: node, isName: false })),
      ...inBranches,
    ];
  }
  const patterns = isObject(patternProperties)
    ? Object.entries(patternProperties).flatMap(([pattern, inner]) =>
        new RegExp(pattern, 'u').test(key) ? [inner] : [],
      )
    : [];
  const open = patterns.length > 0 ? patterns : [additionalProperties];
  return [...open.filter(isSchema).map((node) => ({ schema: node, isName: true })), ...inBranches];
}

/**
 * Returns the paths of the values whose schema passes a test. `*` represents any key of a map. Does not search inside
 * matches.
 */
export function pathsWhere(
  schema: unknown,
  path: readonly string[],
  test: (schema: SchemaNode) => boolean,
): readonly (readonly string[])[] {
  if (!isObject(schema)) return [];
  if (test(schema)) return [path];
  const { properties, patternProperties, additionalProperties } = schema;
  const membersOf = (map: unknown): readonly (readonly [string, unknown])[] =>
    isObject(map) ? Object.entries(map) : [];
  return [
    ...membersOf(properties).flatMap(([key, member]) => pathsWhere(member, [...path, key], test)),
    ...[...membersOf(patternProperties).map(([, member]) => member), additionalProperties].flatMap((member) =>
      pathsWhere(member, [...path, '*'], test),
    ),
  ];
}
