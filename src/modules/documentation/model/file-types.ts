import { dereference, isObject, listOf } from '../../../framework';
import type { JsonSchema } from './data';

/** Returns the media types of a field, or a list, of files; none for any type, undefined for other fields. */
export function fileTypesOf(schema: JsonSchema): readonly string[] | undefined {
  const own = dereference(schema, schema);
  const rule = own['x-file'] ?? dereference(schema, own.items)['x-file'];
  return isObject(rule) ? listOf(rule.types).filter((type) => typeof type === 'string') : undefined;
}
