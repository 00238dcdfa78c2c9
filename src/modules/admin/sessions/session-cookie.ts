/** The name of the session cookie. */
const SESSION_COOKIE = 'platform_admin';

/** Cookie attributes (RFC 6265, 4.1.2). */
export interface CookieScope {
  readonly path: string;
  /** Whether to send it over TLS only. */
  readonly secure: boolean;
}

/** Returns the `Set-Cookie` value that sets the session cookie. */
export function sessionCookie(token: string, scope: CookieScope): string {
  return `${SESSION_COOKIE}=${token}; ${attributes(scope)}`;
}

/** Returns the `Set-Cookie` value that removes the session cookie. */
export function expiredCookie(scope: CookieScope): string {
  return `${SESSION_COOKIE}=; ${attributes(scope)}; Max-Age=0`;
}

function attributes({ path, secure }: CookieScope): string {
  return `Path=${path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/**
 * Returns the session token of a `Cookie` field. Undefined if there are several: one of them may have been injected
 * from another origin.
 */
export function readSessionCookie(field: string | undefined): string | undefined {
  const values = (field ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at >= 0 && pair.slice(0, at).trim() === SESSION_COOKIE ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
