import type { TSchema } from '@sinclair/typebox';
import {
  objectOf,
  COMPOSITIONS,
  branchesOf,
  isSchema,
  dereference,
  withDefinitions,
  type SchemaNode,
} from '../../../framework';

/** Maximum depth of composition: definitions may be recursive. */
const MAX_DEPTH = 32;

/**
 * Returns the schema of an object member, found through composition and references, with the definitions that it
 * references; undefined if there is none.
 */
export function memberSchema(schema: TSchema, name: string): TSchema | undefined {
  const member = findMember(schema, name, schema, 0);
  const definitions: unknown = schema.$defs;
  return member === undefined || !isSchema(definitions) ? member : withDefinitions(member, definitions);
}

function findMember(schema: SchemaNode, name: string, root: SchemaNode, depth: number): TSchema | undefined {
  const member: unknown = isSchema(schema.properties) ? schema.properties[name] : undefined;
  if (isTyped(member)) return member;
  if (depth > MAX_DEPTH) return undefined;
  for (const branch of branchesOf(schema)) {
    const found = findMember(dereference(root, branch), name, root, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Adds a member to an object schema. Composed parts that forbid other members allow it. */
export function withMember(schema: TSchema, name: string, member: TSchema): TSchema {
  const { $defs: needed, ...bare } = member;
  const made = {
    ...schema,
    ...allowInBranches(schema, name, schema, 0),
    properties: { ...propertiesOf(schema), [name]: bare },
  };
  return needed === undefined
    ? made
    : { ...made, $defs: { ...definitionsOf(schema), ...definitionsOf(member) } };
}

function allowInBranches(
  schema: SchemaNode,
  name: string,
  root: SchemaNode,
  depth: number,
): Readonly<Record<string, unknown>> {
  if (depth > MAX_DEPTH) return {};
  return Object.fromEntries(
    COMPOSITIONS.flatMap((keyword) => {
      const branches: unknown = schema[keyword];
      return Array.isArray(branches)
        ? [[keyword, branches.map((branch) => allowMember(branch, name, root, depth + 1))]]
        : [];
    }),
  );
}

/** Allows the member in a part; a referenced part that forbids or restricts it is inlined. */
function allowMember(part: unknown, name: string, root: SchemaNode, depth: number): unknown {
  if (!isSchema(part)) return part;
  const schema = dereference(root, part);
  const inner = allowInBranches(schema, name, root, depth);
  const { additionalProperties = true, unevaluatedProperties = true } = schema;
  const isOpen = additionalProperties === true && unevaluatedProperties === true;
  if (schema !== part && isOpen && Object.keys(inner).length === 0) return part;
  return {
    ...schema,
    ...inner,
    ...(!isOpen ? { properties: { [name]: {}, ...propertiesOf(schema) } } : {}),
  };
}

function propertiesOf(schema: SchemaNode): SchemaNode {
  return objectOf(schema.properties);
}

function definitionsOf(schema: SchemaNode): SchemaNode {
  return isSchema(schema.$defs) ? schema.$defs : {};
}

function isTyped(schema: unknown): schema is TSchema {
  return isSchema(schema);
}
