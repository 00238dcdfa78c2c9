/**
 * A JSON Pointer (RFC 6901) of keys and places: `/versions/1/services/Country`.
 *
 * @example
 * pointerOf(['a/b', 0]) // '/a~1b/0'
 */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * The keys of a JSON Pointer, places of lists as text.
 *
 * @example
 * keysAt('/a~1b/0') // ['a/b', '0']
 */
export function keysAt(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescaped);
}

function unescaped(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** What stands somewhere in a value, by the keys that lead there; undefined where there is nothing of its own. */
export function memberAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((held, key) => {
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) return undefined;
    return Reflect.get(held, key);
  }, value);
}
