import { isTree, type KeyPath } from './tree';

/** A JSON Schema, or a schema within one. */
export type SchemaNode = Readonly<Record<string, unknown>>;

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions'];
const SINGLE = ['additionalProperties', 'items', 'contains'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** A schema with each schema directly within it replaced. */
export function mapSubschemas(schema: SchemaNode, map: (inner: SchemaNode) => SchemaNode): SchemaNode {
  const one = (inner: unknown): unknown => (isTree(inner) ? map(inner) : inner);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]: [string, unknown]) => {
      if (MAPS.includes(keyword) && isTree(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, one(inner)]))];
      }
      if (SINGLE.includes(keyword)) return [keyword, one(value)];
      if (LISTS.includes(keyword) && Array.isArray(value)) return [keyword, value.map(one)];
      return [keyword, value];
    }),
  );
}

/** A schema that speaks of a key, and whether the key is the name of an entry instead of a declared member. */
export interface MemberSchema {
  readonly schema: SchemaNode;
  readonly isName: boolean;
}

/** The schemas that speak of the value at a key of a map, or at a place in a list. */
function memberSchemas(schema: SchemaNode, key: string | number): readonly MemberSchema[] {
  const branches = LISTS.slice(0, 3).flatMap((keyword) => nodesIn(schema[keyword]));
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
