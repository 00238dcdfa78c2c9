import { listOf, isSchema, resolveReference } from '../../../framework';
import type { JsonSchema } from './data';

/** Nesting depth of unions and references; limits recursion. */
const MAX_DEPTH = 8;

/** Returns whether a schema allows null among other values. */
export function mayBeNull(schema: JsonSchema): boolean {
  return isNullable(schema, schema, 0);
}

function isNullable(part: unknown, root: JsonSchema, depth: number): boolean {
  if (!isSchema(part) || depth > MAX_DEPTH) return false;
  const { type, $ref: reference, anyOf, oneOf } = part;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (typeof reference === 'string' && isNullable(resolveReference(root, reference), root, depth + 1))
    return true;
  const choices = [anyOf, oneOf].flatMap((list): readonly unknown[] => listOf(list));
  return choices.some((one) => isNullable(one, root, depth + 1));
}
