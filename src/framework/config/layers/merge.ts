import { objectOf, isObject, type ConfigObject, type ConfigValue, isList } from '../../values/config-object';

/** Returns whether the lists at a path extend those of lower layers instead of replacing them. */
export type Additive = (path: readonly string[]) => boolean;

/**
 * Merges `upper` over `lower`: objects merge by key, lists and scalars replace, `null` removes a key, and lists at
 * additive paths append new members. A key that is undefined, as a script may have it, is not set.
 *
 * @param isShared whether the result may share parts of `upper` instead of copying them: they must never be modified
 */
export function merge(
  lower: ConfigObject,
  upper: ConfigObject,
  additive: Additive = () => false,
  isShared = false,
): ConfigObject {
  return mergeAt(lower, upper, { additive, isShared }, []);
}

interface MergeOptions {
  readonly additive: Additive;
  readonly isShared: boolean;
}

function mergeAt(
  lower: ConfigObject,
  upper: ConfigObject,
  options: MergeOptions,
  path: readonly string[],
): ConfigObject {
  const merged = new Map<string, ConfigValue>(Object.entries(lower));
  for (const [key, value] of Object.entries(upper)) {
    if (value === null) merged.delete(key);
    else if (isSet(value)) merged.set(key, mergeValue(merged.get(key), value, options, [...path, key]));
  }
  return Object.fromEntries(merged);
}

function mergeValue(
  lower: ConfigValue | undefined,
  upper: ConfigValue,
  options: MergeOptions,
  path: readonly string[],
): ConfigValue {
  if (isObject(upper)) {
    if (options.isShared && !isObject(lower) && !hasNull(upper)) return upper;
    return mergeAt(objectOf(lower), upper, options, path);
  }
  if (isList(upper) && isList(lower) && options.additive(path)) {
    return [...lower, ...upper.filter((member) => !lower.includes(member))];
  }
  return upper;
}

/** JSON has no other value, but scripts and modules in JavaScript have. */
function isSet(value: ConfigValue | undefined): value is ConfigValue {
  return value !== undefined;
}

/** Memoizes {@link hasNull}. */
const knownNulls = new WeakMap<ConfigObject, boolean>();

/**
 * Returns whether an object or a nested object contains a null, which removes a key. The object must never be modified.
 */
function hasNull(value: ConfigObject): boolean {
  const known = knownNulls.get(value);
  if (known !== undefined) return known;
  const found = Object.values(value).some(
    (member) => member === null || (isObject(member) && hasNull(member)),
  );
  knownNulls.set(value, found);
  return found;
}

/**
 * Returns the values of a layer: a null in it removes a key.
 * @param isShared whether the result may share parts of the value, which is never modified then
 */
export function withoutNulls(value: ConfigValue, isShared = false): ConfigValue {
  if (!isObject(value) || (isShared && !hasNull(value))) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member, isShared)]));
}
