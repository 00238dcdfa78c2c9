import { isObject, listOf, objectOf } from '../../../framework';
import type { JsonSchema } from './data';

/** Returns the media types of a field, or a list, of files; none for any type, undefined for other fields. */
export function fileTypesOf({ 'x-file': own, items }: JsonSchema): readonly string[] | undefined {
  const rule = own ?? objectOf(items)['x-file'];
  return isObject(rule) ? listOf(rule.types).filter((type) => typeof type === 'string') : undefined;
}
