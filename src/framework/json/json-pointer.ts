import { percentDecoded } from '../text/percent-encoding';

/**
 * Formats keys and list indices as a JSON Pointer (RFC 6901).
 *
 * @example
 * formatPointer(['a/b', 0]) // '/a~1b/0'
 */
export function formatPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Parses a JSON Pointer to its keys; list indices remain strings.
 *
 * @example
 * parsePointer('/a~1b/0') // ['a/b', '0']
 */
export function parsePointer(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

/**
 * Parses the JSON Pointer of a reference, which is a URI fragment: it is percent-decoded first (RFC 6901, 6).
 *
 * @example
 * parseFragment('#/$defs/Page%3CItem%3E') // ['$defs', 'Page<Item>']
 */
export function parseFragment(reference: string): readonly string[] {
  const pointer = reference.slice(1);
  return parsePointer(pointer.includes('%') ? (percentDecoded(pointer) ?? pointer) : pointer);
}

/** Formats keys as a reference with a JSON Pointer, percent-encoded as a URI fragment. */
export function formatFragment(path: readonly (string | number)[]): string {
  return `#${encodeURI(formatPointer(path)).replaceAll('#', '%23')}`;
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the value at a path of keys; undefined without an own member. */
export function memberAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((holder, key) => {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
    return Reflect.get(holder, key);
  }, value);
}
