import type { TSchema } from '@sinclair/typebox';
import { isSchema, resolvedSchema, withDefinitions, type SchemaNode } from '../../framework';

/** The keywords of schemas that are made of several. */
const BRANCHES: readonly string[] = ['allOf', 'anyOf', 'oneOf'];

/** Schemas made of schemas made of others; definitions may lead to one another without an end. */
const DEEPEST = 32;

/**
 * The schema of a member of an object, wherever in its parts and in what these refer to it is; undefined for none. It
 * brings the definitions that it refers to.
 */
export function memberOf(schema: TSchema, name: string): TSchema | undefined {
  const member = within(schema, name, schema, 0);
  const definitions: unknown = schema.$defs;
  return member === undefined || !isSchema(definitions) ? member : withDefinitions(member, definitions);
}

function within(schema: SchemaNode, name: string, root: SchemaNode, depth: number): TSchema | undefined {
  const member: unknown = isSchema(schema.properties) ? schema.properties[name] : undefined;
  if (isTyped(member)) return member;
  if (depth > DEEPEST) return undefined;
  for (const branch of BRANCHES.flatMap((keyword) => branchesOf(schema, keyword))) {
    const found = within(resolvedSchema(root, branch), name, root, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An object with one more member; its parts that have no other members than their own let it pass. */
export function withMember(schema: TSchema, name: string, member: TSchema): TSchema {
  const { $defs: needed, ...bare } = member;
  const made = {
    ...schema,
    ...inBranches(schema, name, schema, 0),
    properties: { ...propertiesOf(schema), [name]: bare },
  };
  return needed === undefined
    ? made
    : { ...made, $defs: { ...definitionsOf(schema), ...definitionsOf(member) } };
}

function inBranches(
  schema: SchemaNode,
  name: string,
  root: SchemaNode,
  depth: number,
): Readonly<Record<string, unknown>> {
  if (depth > DEEPEST) return {};
  return Object.fromEntries(
    BRANCHES.flatMap((keyword) => {
      const branches: unknown = schema[keyword];
      return Array.isArray(branches)
        ? [[keyword, branches.map((branch) => letting(branch, name, root, depth + 1))]]
        : [];
    }),
  );
}

/** A part that lets the member pass: what it refers to is written out where that does not. */
function letting(part: unknown, name: string, root: SchemaNode, depth: number): unknown {
  if (!isSchema(part)) return part;
  const schema = resolvedSchema(root, part);
  const inner = inBranches(schema, name, root, depth);
  if (schema !== part && schema.additionalProperties !== false && Object.keys(inner).length === 0)
    return part;
  return {
    ...schema,
    ...inner,
    ...(schema.additionalProperties === false ? { properties: { [name]: {}, ...propertiesOf(schema) } } : {}),
  };
}

function propertiesOf(schema: SchemaNode): SchemaNode {
  return isSchema(schema.properties) ? schema.properties : {};
}

function definitionsOf(schema: SchemaNode): SchemaNode {
  return isSchema(schema.$defs) ? schema.$defs : {};
}

function branchesOf(schema: SchemaNode, keyword: string): readonly SchemaNode[] {
  const branches: unknown = schema[keyword];
  return Array.isArray(branches) ? branches.filter(isSchema) : [];
}

function isTyped(schema: unknown): schema is TSchema {
  return isSchema(schema);
}
