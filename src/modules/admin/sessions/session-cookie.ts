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

/** The maximum number of tokens in a request; each is looked up. */
const MAX_TOKENS = 20;

/**
 * Returns the session tokens of a `Cookie` field. Several may have been injected from another host of the domain, which must
 * not lock administrators out. None if there are too many.
 */
export function readSessionCookies(field: string | undefined): readonly string[] {
  const tokens = new Set(parseCookies(field).get(SESSION_COOKIE));
  return tokens.size > MAX_TOKENS ? [] : [...tokens];
}
