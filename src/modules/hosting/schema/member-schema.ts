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

function findMember(
  schema: SchemaNode,
  name: string,
  root: SchemaNode,
  depth: number,
  visited = new Set<SchemaNode>(),
): TSchema | undefined {
  const member: unknown = isSchema(schema.properties) ? schema.properties[name] : undefined;
  if (isTyped(member)) return member;
  if (depth > MAX_DEPTH) return undefined;
  for (const branch of branchesOf(schema)) {
    // Branches often refer to the same definition.
    if (visited.has(branch)) continue;
    visited.add(branch);
    const found = findMember(dereference(root, branch), name, root, depth + 1, visited);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Adds a member to an object schema. Composed parts that forbid other members allow it. */
export function withMember(schema: TSchema, name: string, member: TSchema): TSchema {
  const { $defs: needed, ...bare } = member;
  const made = {
    ...schema,
    ...new AllowedMember(name, schema).inBranches(schema, 0),
    properties: { ...propertiesOf(schema), [name]: bare },
  };
  return needed === undefined
    ? made
    : { ...made, $defs: { ...definitionsOf(schema), ...definitionsOf(member) } };
}

/** Allows a member in the parts of a schema, each once. */
class AllowedMember {
  readonly #name: string;
  readonly #root: SchemaNode;
  readonly #parts = new Map<SchemaNode, SchemaNode>();

  constructor(name: string, root: SchemaNode) {
    this.#name = name;
    this.#root = root;
  }

  /** Returns the keywords of a schema whose parts change. */
  inBranches(schema: SchemaNode, depth: number): Readonly<Record<string, unknown>> {
    if (depth > MAX_DEPTH) return {};
    return Object.fromEntries(
      COMPOSITIONS.flatMap((keyword) => {
        const branches: unknown = schema[keyword];
        if (!Array.isArray(branches)) return [];
        const allowing = branches.map((branch: unknown) => this.#inPart(branch, depth + 1));
        return allowing.every((one, at) => one === branches[at]) ? [] : [[keyword, allowing]];
      }),
    );
  }

  #inPart(part: unknown, depth: number): unknown {
    if (!isSchema(part)) return part;
    const allowing = this.#parts.get(part) ?? this.#allowIn(part, depth);
    this.#parts.set(part, allowing);
    return allowing;
  }

  /** A referenced part that forbids or restricts the member is inlined. */
  #allowIn(part: SchemaNode, depth: number): SchemaNode {
    const schema = dereference(this.#root, part);
    const inner = this.inBranches(schema, depth);
    const { additionalProperties = true, unevaluatedProperties = true } = schema;
    const isOpen = additionalProperties === true && unevaluatedProperties === true;
    if (isOpen && Object.keys(inner).length === 0) return part;
    return {
      ...schema,
      ...inner,
      ...(isOpen ? {} : { properties: { [this.#name]: {}, ...propertiesOf(schema) } }),
    };
  }
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
