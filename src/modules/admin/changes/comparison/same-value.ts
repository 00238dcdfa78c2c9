import { isList, isObject, type ConfigValue } from '../../../../framework';

/** Whether two configuration values are equal. The order of keys does not matter. */
export function isSameValue(one: ConfigValue | undefined, other: ConfigValue | undefined): boolean {
  if (one === other) return true;
  if (isObject(one)) return isObject(other) && hasSameMembers(one, other);
  if (!isList(one) || !isList(other) || one.length !== other.length) return false;
  return one.every((item, at) => isSameValue(item, other[at]));
}

function hasSameMembers(one: Members, other: Members): boolean {
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key], other[key]));
}

type Members = Readonly<Record<string, ConfigValue>>;
