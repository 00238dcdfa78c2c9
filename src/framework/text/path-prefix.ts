/**
 * Returns whether a path is a prefix or lies below it. Whole segments are compared, as in the path of a URL, a JSON Pointer,
 * or a key of the adapter map.
 *
 * @param prefix without a slash at its end
 *
 * @example
 * hasPathPrefix('/v1/books/1', '/v1/books'); // true
 * hasPathPrefix('/v1/bookshops', '/v1/books'); // false
 */
export function hasPathPrefix(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}
