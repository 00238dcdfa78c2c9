import { parseCookies, serializeCookie } from '../../../framework';

/** The name of the session cookie. */
const SESSION_COOKIE = 'platform_admin';

/** Where the session cookie applies. */
export interface CookieScope {
  readonly path: string;
  /** Whether to send it over TLS only. */
  readonly secure: boolean;
}

/** Returns the `Set-Cookie` value that sets the session cookie. */
export function sessionCookie(token: string, scope: CookieScope): string {
  return serializeCookie(SESSION_COOKIE, token, { ...scope, sameSite: 'Strict' });
}

/** Returns the `Set-Cookie` value that removes the session cookie. */
export function expiredCookie(scope: CookieScope): string {
  return serializeCookie(SESSION_COOKIE, '', { ...scope, sameSite: 'Strict', maxAge: 0 });
}

/**
 * Returns the session token of a `Cookie` field. Undefined if there are several: one of them may have been injected
 * from another origin.
 */
export function readSessionCookie(field: string | undefined): string | undefined {
  const values = parseCookies(field).get(SESSION_COOKIE) ?? [];
  return values.length === 1 ? values[0] : undefined;
}
