import { isSchema, resolveReference } from '../../../framework';
import type { JsonSchema } from './data';

/** Unions within unions, and references to references: deeper ones are not looked at. */
const MAX_DEPTH = 8;

/** Whether a JSON Schema says that the value may be null beside what else it is: one of several types, or of a union. */
export function mayBeNull(schema: JsonSchema): boolean {
  return isNullable(schema, schema, 0);
}

function isNullable(part: unknown, root: JsonSchema, depth: number): boolean {
  if (!isSchema(part) || depth > MAX_DEPTH) return false;
  const { type, $ref: reference, anyOf, oneOf } = part;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (typeof reference === 'string' && isNullable(resolveReference(root, reference), root, depth + 1))
    return true;
  const choices = [anyOf, oneOf].flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  return choices.some((one) => isNullable(one, root, depth + 1));
}
