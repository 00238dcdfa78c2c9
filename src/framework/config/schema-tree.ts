import type { SchemaNode } from './subschemas';
import { isTree, type KeyPath } from './tree';

/** Keywords under which each of several schemas speaks of the same value. */
const BRANCHES = ['anyOf', 'oneOf', 'allOf'];

/** A schema that speaks of a key, and whether the key is the name of an entry instead of a declared member. */
export interface MemberSchema {
  readonly schema: SchemaNode;
  readonly isName: boolean;
}

/** The schemas that speak of the value at a key of a map, or at a place in a list. */
function memberSchemas(schema: SchemaNode, key: string | number): readonly MemberSchema[] {
  const branches = BRANCHES.flatMap((keyword) => nodesIn(schema[keyword]));
  const inBranches = branches.flatMap((branch) => memberSchemas(branch, key));
  if (typeof key === 'number') {
    return [...nodesIn([schema.items]).map((node) => ({ schema: node, isName: true })), ...inBranches];
  }
  const { properties, patternProperties, additionalProperties } = schema;
  if (isTree(properties) && Object.hasOwn(properties, key)) {
    return [...nodesIn([properties[key]]).map((node) => ({ schema: node, isName: false })), ...inBranches];
  }
  const patterns = isTree(patternProperties)
    ? Object.entries(patternProperties).flatMap(([pattern, inner]) =>
        new RegExp(pattern, 'u').test(key) ? [inner] : [],
      )
    : [];
  const open = patterns.length > 0 ? patterns : [additionalProperties];
  return [...nodesIn(open).map((node) => ({ schema: node, isName: true })), ...inBranches];
}

/** The schemas that speak of each key on the way along a path, from the sections down. */
export function schemaTrail(
  sections: ReadonlyMap<string, SchemaNode>,
  path: KeyPath,
): readonly (readonly MemberSchema[])[] {
  let nodes: readonly SchemaNode[] = [{ properties: Object.fromEntries(sections) }];
  return path.map((key) => {
    const members = nodes.flatMap((node) => memberSchemas(node, key));
    nodes = members.map(({ schema }) => schema);
    return members;
  });
}

function nodesIn(list: unknown): readonly SchemaNode[] {
  return Array.isArray(list) ? list.filter((one): one is SchemaNode => isTree(one)) : [];
}
