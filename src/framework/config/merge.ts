import { isTree, type ConfigTree, type ConfigValue } from './tree';

/** Whether the lists at a path add to those of lower layers instead of replacing them. */
export type Additive = (path: readonly string[]) => boolean;

/**
 * Lays `upper` over `lower`: maps merge by key, lists and scalars replace, `null` takes a key away, and the
 * lists at additive paths add what they do not hold yet.
 */
export function merge(
  lower: ConfigTree,
  upper: ConfigTree,
  additive: Additive = () => false,
  path: readonly string[] = [],
): ConfigTree {
  const merged = new Map<string, ConfigValue>(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    const here = [...path, key];
    if (value === null) merged.delete(key);
    else merged.set(key, mergeValue(merged.get(key), value, additive, here));
  }
  return Object.fromEntries(merged);
}

function mergeValue(
  lower: ConfigValue | undefined,
  upper: ConfigValue,
  additive: Additive,
  path: readonly string[],
): ConfigValue {
  if (isTree(upper)) return merge(isTree(lower) ? lower : {}, upper, additive, path);
  if (isList(upper) && isList(lower) && additive(path)) {
    return [...lower, ...upper.filter((member) => !lower.includes(member))];
  }
  return upper;
}

function isList(value: ConfigValue | undefined): value is readonly ConfigValue[] {
  return Array.isArray(value);
}
