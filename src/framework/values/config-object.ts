/** A JSON value, as configuration files hold. */
export type ConfigValue = string | number | boolean | null | readonly ConfigValue[] | ConfigObject;
export interface ConfigObject {
  readonly [key: string]: ConfigValue;
}

/** The keys from the root to a value, list positions as numbers. */
export type KeyPath = readonly (string | number)[];

/** Whether a value is an object, and neither null nor a list. */
export function isObject(value: unknown): value is ConfigObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAt(tree: ConfigValue, path: KeyPath): ConfigValue | undefined {
  let value: unknown = tree;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    // A list has positions only: neither `length` nor positions as text.
    if (Array.isArray(value) && typeof key !== 'number') return undefined;
    value = Reflect.get(value, key);
  }
  return value as ConfigValue;
}

/** Formats a path for people: `platform-mvc-auth.authentication.adapters.atlas-basic.options`. */
export function formatKeyPath(path: KeyPath): string {
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : at === 0 ? key : `.${key}`)).join('');
}

/** Freezes a value on every level, also below parts that are frozen already. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
