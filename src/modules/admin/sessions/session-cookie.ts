/** The cookie that says which session a request belongs to. */
const SESSION_COOKIE = 'platform_admin';

/** What a cookie is sent with (RFC 6265, 4.1.2). */
export interface CookieScope {
  readonly path: string;
  /** Whether it is for TLS only. */
  readonly secure: boolean;
}

/** The `Set-Cookie` field value that begins a session. */
export function sessionCookie(token: string, scope: CookieScope): string {
  return `${SESSION_COOKIE}=${token}; ${attributes(scope)}`;
}

/** The `Set-Cookie` field value that takes the cookie away. */
export function endedCookie(scope: CookieScope): string {
  return `${SESSION_COOKIE}=; ${attributes(scope)}; Max-Age=0`;
}

function attributes({ path, secure }: CookieScope): string {
  return `Path=${path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/**
 * The session's token in a `Cookie` field. Undefined where there are several: one of them was put there by
 * somebody else, and nobody can tell which.
 */
export function readSessionCookie(field: string | undefined): string | undefined {
  const values = (field ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at >= 0 && pair.slice(0, at).trim() === SESSION_COOKIE ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
