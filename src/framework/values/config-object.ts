/** A JSON value in the configuration. */
export type ConfigValue = string | number | boolean | null | readonly ConfigValue[] | ConfigObject;
export interface ConfigObject {
  readonly [key: string]: ConfigValue;
}

/** An object whose members are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The keys from the root to a value; list indices are numbers. */
export type KeyPath = readonly (string | number)[];

/** Returns whether a value is an object, but not null or an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an object without a class, of any realm. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** `Array.isArray` whose elements are not `any`. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an empty one. */
export function objectOf(value: ConfigValue | undefined): ConfigObject;
export function objectOf(value: unknown): JsonObject;
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the value if it is an array, otherwise an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}

/** Parses JSON; undefined for malformed text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the value at a path, if it exists. */
export function valueAt(tree: ConfigValue, path: KeyPath): ConfigValue | undefined {
  let value: unknown = tree;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    // Lists have only numeric indices: neither `length` nor indices as strings.
    if (Array.isArray(value) && typeof key !== 'number') return undefined;
    value = Reflect.get(value, key);
  }
  return value as ConfigValue;
}

/** Returns whether a path is a prefix or lies below it. */
export function hasKeyPrefix(path: KeyPath, prefix: KeyPath): boolean {
  return prefix.every((key, at) => path[at] === key);
}

/** Formats a path for messages: `platform-mvc-auth.authentication.adapters.atlas-basic.options`. */
export function formatKeyPath(path: KeyPath): string {
  let text = '';
  path.forEach((key, at) => (text += typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`));
  return text;
}

/** Values that `deepFreeze` has frozen. */
const deeplyFrozen = new WeakSet();

/** Returns whether `deepFreeze` has frozen a value, so that it never changes. */
export function isDeeplyFrozen(value: object): boolean {
  return deeplyFrozen.has(value);
}

/** Freezes a value on every level, also inside parts that are already frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !deeplyFrozen.has(value)) {
    Object.freeze(value);
    deeplyFrozen.add(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
