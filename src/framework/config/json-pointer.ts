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
