import { isObject, valueAt, type ConfigValue } from '../../../../framework';
import { isSameValue } from '../../changes/comparison/same-value';

/**
 * Replaces the parts of a value that are equal to those of a second one at the same place by those of a third one.
 * @example
 * replaceEqual({ a: 1, b: 5 }, { a: 1, b: 2 }, { a: '${A}', b: '${B}' }); // { a: '${A}', b: 5 }
 */
export function replaceEqual(
  value: ConfigValue,
  from: ConfigValue | undefined,
  to: ConfigValue | undefined,
): ConfigValue {
  if (from === undefined || to === undefined) return value;
  if (isSameValue(value, from)) return to;
  if (!isObject(value) || !isObject(from) || !isObject(to)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      replaceEqual(member, valueAt(from, [key]), valueAt(to, [key])),
    ]),
  );
}
