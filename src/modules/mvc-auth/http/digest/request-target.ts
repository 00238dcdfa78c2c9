/** The requested resource, which the `uri` of credentials has to match. */
export interface RequestedResource {
  /** The request target exactly as received. */
  readonly target: string;
  /** The value of the `Host` field. */
  readonly host?: string | undefined;
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)(.*)$/is;
const DEFAULT_PORT = { http: ':80', https: ':443' } as const;

/**
 * Whether the `uri` of a Digest response matches the request (RFC 7616, 3.4.6): the whole request target, query
 * included. Where only one of the two is in absolute form, because of a proxy, path and query are compared, and the
 * authority with `Host` (RFC 9112, 3.2), so that credentials for another server are refused.
 *
 * @example
 * matchesTarget('/a?b=1', { target: '/a?b=1' }); // true
 * matchesTarget('/a', { target: '/a?b=1' }); // false
 * matchesTarget('http://api.example/a', { target: '/a', host: 'api.example' }); // true
 * matchesTarget('http://other.example/a', { target: '/a', host: 'api.example' }); // false
 */
export function matchesTarget(uri: string, { target, host }: RequestedResource): boolean {
  if (uri === target) return true;
  const named = ABSOLUTE.exec(uri);
  const requested = ABSOLUTE.exec(target);
  if (named === null) return requested !== null && pathOf(requested) === uri;
  const scheme = schemeOf(named);
  if (requested !== null && schemeOf(requested) !== scheme) return false;
  const authority = requested === null ? host : requested[2];
  return (
    authority !== undefined &&
    normalized(scheme, named[2] ?? '') === normalized(scheme, authority) &&
    pathOf(named) === (requested === null ? target : pathOf(requested))
  );
}

function schemeOf(match: RegExpExecArray): 'http' | 'https' {
  return match[1]?.toLowerCase() === 'https' ? 'https' : 'http';
}

/** Host names are case-insensitive, and the default port is optional (RFC 9110, 4.2.3). */
function normalized(scheme: 'http' | 'https', authority: string): string {
  const lower = authority.toLowerCase();
  const port = DEFAULT_PORT[scheme];
  return lower.endsWith(port) ? lower.slice(0, -port.length) : lower;
}

function pathOf(match: RegExpExecArray): string {
  const path = match[3] ?? '';
  return path.startsWith('/') ? path : `/${path}`;
}
