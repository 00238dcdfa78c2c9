/** What configuration files hold: JSON. */
export type ConfigValue = string | number | boolean | null | readonly ConfigValue[] | ConfigTree;
export interface ConfigTree {
  readonly [key: string]: ConfigValue;
}

/** Keys from the root of a tree to a value, list positions as numbers. */
export type KeyPath = readonly (string | number)[];

export function isTree(value: unknown): value is ConfigTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAt(tree: ConfigValue, path: KeyPath): ConfigValue | undefined {
  let value: unknown = tree;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    // A list has places only: neither a length, nor places that are written as text.
    if (Array.isArray(value) && typeof key !== 'number') return undefined;
    value = Reflect.get(value, key);
  }
  return value as ConfigValue;
}

/** A path as people write it: `platform-mvc-auth.authentication.adapters.atlas-basic.options`. */
export function showPath(path: KeyPath): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}

/** Freezes a value on every level; what was frozen before may yet hold something that is not. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
