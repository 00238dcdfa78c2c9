import { listOf } from '../values/config-object';
import { dereference } from './resolve-reference';
import type { SchemaNode } from './subschemas';

/** Levels of `allOf` and unions that are followed: definitions may be recursive. */
const MAX_DEPTH = 16;

/**
 * Returns whether a schema states that clients do not send (`readOnly`) or receive (`writeOnly`) its values: itself,
 * what it refers to, a part of its `allOf`, or every branch of a union but null (JSON Schema 2020-12, Core, 7.7.1).
 * @param root resolves references
 */
export function isAnnotated(
  root: SchemaNode,
  schema: unknown,
  annotation: 'readOnly' | 'writeOnly',
  depth = 0,
): boolean {
  const node = dereference(root, schema);
  if (node[annotation] === true) return true;
  if (depth >= MAX_DEPTH) return false;
  const isPartAnnotated = (part: unknown): boolean => isAnnotated(root, part, annotation, depth + 1);
  if (listOf(node.allOf).some(isPartAnnotated)) return true;
  return [node.anyOf, node.oneOf].some((union) => {
    const branches = listOf(union).filter((branch) => dereference(root, branch).type !== 'null');
    return branches.length > 0 && branches.every(isPartAnnotated);
  });
}
