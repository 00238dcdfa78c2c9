import { Response, type MvcEvent } from '../../../../framework';
import { expiredCookie, readSessionCookie } from '../../sessions/session-cookie';
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
export function redirectWithoutSession(
  event: MvcEvent,
  target: string | undefined,
  { paths, sessions }: { readonly paths: AdminPaths; readonly sessions: RequestSessions },
): Response {
  const response = redirectToSignIn(paths, target === undefined ? null : paths.below(target));
  // Removes the cookie of an expired session.
  if (readSessionCookie(event.request.header('cookie')) !== undefined)
    response.fields.append('Set-Cookie', expiredCookie(sessions.cookieScope(event)));
  return response;
}
