/**
 * Formats keys and list positions as a JSON Pointer (RFC 6901).
 *
 * @example
 * formatPointer(['a/b', 0]) // '/a~1b/0'
 */
export function formatPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Parses a JSON Pointer to its keys, list positions as text.
 *
 * @example
 * parsePointer('/a~1b/0') // ['a/b', '0']
 */
export function parsePointer(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value at a path of keys; undefined where there is no own member. */
export function memberAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((held, key) => {
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) return undefined;
    return Reflect.get(held, key);
  }, value);
}
