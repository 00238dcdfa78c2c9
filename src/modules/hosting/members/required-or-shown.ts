import {
  branchesOf,
  isSchema,
  listOf,
  objectOf,
  resolveReference,
  type SchemaNode,
} from '../../../framework';

/** Returns the names of members that a schema requires of a value, counts, or shows in examples of it. @param root resolves references */
export function requiredOrShown(root: SchemaNode, schema: SchemaNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { required, dependentRequired, examples, example, ...one } of schemasOfValue(root, schema)) {
    const dependent = Object.values(objectOf(dependentRequired)).flatMap(listOf);
    for (const name of [...listOf(required), ...dependent]) names.add(String(name));
    const counted = one.minProperties === undefined ? undefined : one.properties;
    for (const named of [...listOf(examples), example, counted])
      for (const name of Object.keys(objectOf(named))) names.add(name);
  }
  return names;
}

/** Whether a schema requires a number of members, wherever they are declared. @param root resolves references */
export function countsMembers(root: SchemaNode, schema: SchemaNode): boolean {
  return [...schemasOfValue(root, schema)].some(({ minProperties }) => minProperties !== undefined);
}

/** Returns a schema, and those that it applies to the same value, always or under a condition. */
function schemasOfValue(root: SchemaNode, schema: SchemaNode): ReadonlySet<SchemaNode> {
  const schemas = new Set([schema]);
  // The loop visits added schemas as well.
  for (const { $ref: reference, ...one } of schemas) {
    const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
    const conditional = [one.then, one.else, ...Object.values(objectOf(one.dependentSchemas))];
    for (const part of [target, ...branchesOf(one), ...conditional]) if (isSchema(part)) schemas.add(part);
  }
  return schemas;
}

/** Returns the names of members that a schema requires of each value. @param root resolves references */
export function alwaysRequired(root: SchemaNode, schema: SchemaNode): ReadonlySet<string> {
  const names = new Set<string>();
  const schemas = new Set([schema]);
  // The loop visits added schemas as well.
  for (const { required, allOf, $ref: reference } of schemas) {
    for (const name of listOf(required)) names.add(String(name));
    const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
    for (const part of [target, ...listOf(allOf)]) if (isSchema(part)) schemas.add(part);
  }
  return names;
}
