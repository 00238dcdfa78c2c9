import type { TSchema } from '@sinclair/typebox';
import { isSchema } from '../../framework';

/** The keywords of schemas that are made of several. */
const BRANCHES: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/** The schema of a member of an object, wherever in its parts it is; undefined for none. */
export function memberOf(schema: TSchema, name: string): TSchema | undefined {
  const member: unknown = isSchema(schema.properties) ? schema.properties[name] : undefined;
  if (isTyped(member)) return member;
  for (const branch of BRANCHES.flatMap((keyword) => branchesOf(schema, keyword))) {
    const found = memberOf(branch, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An object with one more member; its parts that have no other members than their own let it pass. */
export function withMember(schema: TSchema, name: string, member: TSchema): TSchema {
  return { ...schema, ...inBranches(schema, name), properties: { ...propertiesOf(schema), [name]: member } };
}

function inBranches(schema: TSchema, name: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    BRANCHES.flatMap((keyword) => {
      const branches: unknown = schema[keyword];
      return Array.isArray(branches) ? [[keyword, branches.map((branch) => letting(branch, name))]] : [];
    }),
  );
}

function letting(schema: unknown, name: string): unknown {
  if (!isTyped(schema)) return schema;
  const own = propertiesOf(schema);
  return {
    ...schema,
    ...inBranches(schema, name),
    ...(schema.additionalProperties === false ? { properties: { [name]: {}, ...own } } : {}),
  };
}

function propertiesOf(schema: TSchema): Readonly<Record<string, unknown>> {
  return isSchema(schema.properties) ? schema.properties : {};
}

function branchesOf(schema: TSchema, keyword: string): readonly TSchema[] {
  const branches: unknown = schema[keyword];
  return Array.isArray(branches) ? branches.filter(isTyped) : [];
}

function isTyped(schema: unknown): schema is TSchema {
  return isSchema(schema);
}
