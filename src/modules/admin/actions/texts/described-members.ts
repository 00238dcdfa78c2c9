import { isObject } from '../../../../framework';

/** A nested schema that can have a description. */
export interface DescribedMember {
  /** The display name: `capital`, `currencies[].code`. */
  readonly name: string;
  /** The path from the root schema. */
  readonly path: readonly string[];
  readonly description: string;
}

/** The documentation does not show deeper members. */
const MAX_DEPTH = 8;

/**
 * Lists the members of a JSON Schema with their descriptions, including those of nested objects, arrays and maps.
 * References are not followed: their targets are shared.
 */
export function describedMembers(schema: unknown): readonly DescribedMember[] {
  return membersOf(schema, '', [], 0);
}

function membersOf(
  schema: unknown,
  name: string,
  path: readonly string[],
  depth: number,
): readonly DescribedMember[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const { properties, items, additionalProperties } = schema;
  const members = isObject(properties) ? Object.entries(properties) : [];
  return [
    ...members.flatMap(([key, member]) => {
      if (!isObject(member)) return [];
      const memberPath = [...path, 'properties', key];
      const fullName = name === '' ? key : `${name}.${key}`;
      const { description } = member;
      const own = {
        name: fullName,
        path: memberPath,
        description: typeof description === 'string' ? description : '',
      };
      return [own, ...membersOf(member, fullName, memberPath, depth + 1)];
    }),
    ...membersOf(items, `${name}[]`, [...path, 'items'], depth + 1),
    ...membersOf(additionalProperties, `${name}{}`, [...path, 'additionalProperties'], depth + 1),
  ];
}
