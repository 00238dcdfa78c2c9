import { isObject, type ConfigObject, type ConfigValue, isList } from '../../values/config-object';

/** Returns whether the lists at a path extend those of lower layers instead of replacing them. */
export type Additive = (path: readonly string[]) => boolean;

/**
 * Merges `upper` over `lower`: objects merge by key, lists and scalars replace, `null` removes a key, and lists at
 * additive paths append new members.
 */
export function merge(
  lower: ConfigObject,
  upper: ConfigObject,
  additive: Additive = () => false,
  path: readonly string[] = [],
): ConfigObject {
  const merged = new Map<string, ConfigValue>(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergeValue(merged.get(key), value, additive, [...path, key]));
  }
  return Object.fromEntries(merged);
}

function mergeValue(
  lower: ConfigValue | undefined,
  upper: ConfigValue,
  additive: Additive,
  path: readonly string[],
): ConfigValue {
  if (isObject(upper)) return merge(isObject(lower) ? lower : {}, upper, additive, path);
  if (isList(upper) && isList(lower) && additive(path)) {
    return [...lower, ...upper.filter((member) => !lower.includes(member))];
  }
  return upper;
}
