const ABSOLUTE = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)(.*)$/is;

/**
 * Whether the `uri` of a Digest response names the resource that was asked for (RFC 7616, 3.4.6): the whole
 * request target, query included. Where one of the two is in absolute form and the other is not (a proxy stood
 * between), path and query are compared.
 *
 * @example
 * namesTarget('/a?b=1', '/a?b=1'); // true
 * namesTarget('/a', '/a?b=1'); // false
 */
export function namesTarget(uri: string, target: string): boolean {
  if (uri === target) return true;
  const named = split(uri);
  const asked = split(target);
  if (named.origin !== undefined && asked.origin !== undefined) {
    return named.origin === asked.origin && named.path === asked.path;
  }
  return (named.origin !== undefined || asked.origin !== undefined) && named.path === asked.path;
}

function split(target: string): { readonly origin: string | undefined; readonly path: string } {
  const match = ABSOLUTE.exec(target);
  if (match === null) return { origin: undefined, path: target };
  const path = match[2] ?? '';
  return { origin: match[1]?.toLowerCase(), path: path.startsWith('/') ? path : `/${path}` };
}
