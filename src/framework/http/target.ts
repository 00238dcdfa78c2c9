/** A request target (RFC 9112, 3.2), split into path and query. */
export interface Target {
  /** Still percent-encoded; always begins with `/`, or is `*`. */
  readonly path: string;
  /** The part after the `?`, or an empty string. */
  readonly query: string;
}

/** Splits a request target in origin-form, absolute-form or asterisk-form. */
export function splitTarget(target: string): Target {
  const origin = target.startsWith('/') || target === '*' ? target : withoutAuthority(target);
  const fragment = origin.indexOf('#');
  const clean = fragment < 0 ? origin : origin.slice(0, fragment);
  const mark = clean.indexOf('?');
  return mark < 0 ? { path: clean, query: '' } : { path: clean.slice(0, mark), query: clean.slice(mark + 1) };
}

/** Joins a path and a query, as `splitTarget` returns them. */
export function joinTarget(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`;
}

/**
 * Returns the authority of a target in absolute-form (`http://host:8080/path` → `host:8080`); undefined for other
 * forms.
 */
export function authorityOf(target: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
  return authority?.slice(authority.lastIndexOf('@') + 1);
}

/**
 * Splits a target in absolute-form or origin-form into what precedes the path, which may be empty, and the rest.
 * @example splitOrigin('http://host:8080/path?q') // ['http://host:8080', '/path?q']
 */
export function splitOrigin(target: string): readonly [origin: string, rest: string] {
  const [, origin = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(.*)$/is.exec(target) ?? [];
  return [origin, rest];
}

/** `http://host/path` → `/path`: servers must accept absolute-form (RFC 9112, 3.2.2). */
function withoutAuthority(target: string): string {
  const [, rest] = splitOrigin(target);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
