import { listOf } from '../values/config-object';
import { dereference } from './resolve-reference';
import type { SchemaNode } from './subschemas';

/**
 * Returns whether a schema states that clients do not send (`readOnly`) or receive (`writeOnly`) its values: itself,
 * what it refers to, a part of its `allOf`, or every branch of a union but null (JSON Schema 2020-12, Core, 7.7.1).
 * @param root resolves references
 * @param known the parts that were searched: each once, as several may refer to the same definition
 */
export function isAnnotated(
  root: SchemaNode,
  schema: unknown,
  annotation: 'readOnly' | 'writeOnly',
  known = new Map<unknown, boolean>(),
): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  // A definition that leads back to itself has no annotation by that.
  known.set(schema, false);
  const isFound = hasAnnotation(root, dereference(root, schema), annotation, known);
  known.set(schema, isFound);
  return isFound;
}

function hasAnnotation(
  root: SchemaNode,
  node: SchemaNode,
  annotation: 'readOnly' | 'writeOnly',
  known: Map<unknown, boolean>,
): boolean {
  if (node[annotation] === true) return true;
  const isPartAnnotated = (part: unknown): boolean => isAnnotated(root, part, annotation, known);
  if (listOf(node.allOf).some(isPartAnnotated)) return true;
  return [node.anyOf, node.oneOf].some((union) => {
    const branches = listOf(union).filter((branch) => dereference(root, branch).type !== 'null');
    return branches.length > 0 && branches.every(isPartAnnotated);
  });
}
