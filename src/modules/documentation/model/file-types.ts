import { dereference, isObject, listOf } from '../../../framework';
import type { JsonSchema } from './data';

/** Levels of lists and unions that are followed: definitions may be recursive. */
const MAX_DEPTH = 4;

/**
 * Returns the media types of a field, or a list, of files, which may be null; none for any type, undefined for other
 * fields.
 */
export function fileTypesOf(schema: JsonSchema): readonly string[] | undefined {
  const rule = fileRuleIn(schema, schema, 0);
  return isObject(rule) ? listOf(rule.types).filter((type) => typeof type === 'string') : undefined;
}

function fileRuleIn(root: JsonSchema, part: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return undefined;
  const { 'x-file': rule, items, anyOf, oneOf } = dereference(root, part);
  if (rule !== undefined) return rule;
  const branches = [anyOf, oneOf].flatMap(listOf).filter((one) => dereference(root, one).type !== 'null');
  const [inner = items, ...others] = branches;
  return others.length > 0 ? undefined : fileRuleIn(root, inner, depth + 1);
}
