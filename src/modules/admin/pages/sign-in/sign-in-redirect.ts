import { Response, type MvcEvent } from '../../../../framework';
import { expiredCookie, readSessionCookies } from '../../sessions/session-cookie';
import type { AdminPaths } from '../admin-paths';
import type { RequestSessions } from './request-sessions';

/** Redirects to the sign-in page with 303. @param back the page to return to after sign-in, below the admin */
export function redirectToSignIn(paths: AdminPaths, back: string | null): Response {
  const query = back === null || back === '' || back === '/' ? '' : `?return=${encodeURIComponent(back)}`;
  return new Response(303, null, [['Location', paths.url('/sign-in') + query]]);
}

/**
 * Redirects a request without a session to the sign-in page.
 * @param target the request target of the page to return to after sign-in, such as `/platform/admin/adapters?name=x`
 */
export async function redirectWithoutSession(
  event: MvcEvent,
  target: string | undefined,
  { paths, sessions }: { readonly paths: AdminPaths; readonly sessions: RequestSessions },
): Promise<Response> {
  const response = redirectToSignIn(paths, target === undefined ? null : paths.below(target));
  // Of several cookies only that of this host would be removed, and the one of another host of the domain would count.
  const isOnly = readSessionCookies(event.request.header('cookie')).length === 1;
  // That of an expired session remains: a form may follow the requests of scripts, and is kept for its session.
  if (isOnly && (await sessions.findExpired(event)) === undefined)
    response.fields.append('Set-Cookie', expiredCookie(sessions.cookieScope(event)));
  return response;
}
