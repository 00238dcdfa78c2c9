import { Response, type MvcEvent } from '../../../../framework';
import { expiredCookie, readSessionCookies } from '../../sessions/session-cookie';
import type { AdminPaths } from '../admin-paths';
import { isOfScript } from './form-drafts';
import type { RequestSessions } from './request-sessions';

/** The query parameter of the sign-in page after a form that was submitted without a session. */
export const UNSAVED = 'unsaved';

/**
 * Redirects to the sign-in page with 303.
 * @param back the page to return to after sign-in, below the admin
 * @param isUnsaved whether the page says that what was submitted has not been saved
 */
export function redirectToSignIn(paths: AdminPaths, back: string | null, isUnsaved = false): Response {
  const query = new URLSearchParams();
  if (back !== null && back !== '' && back !== '/') query.set('return', back);
  if (isUnsaved) query.set(UNSAVED, 'yes');
  const target = paths.url('/sign-in') + (query.size === 0 ? '' : `?${query.toString()}`);
  return new Response(303, null, [['Location', target]]);
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
  const back = target === undefined ? null : paths.below(target);
  const { request } = event;
  const response = redirectToSignIn(paths, back, request.method === 'POST' && !isOfScript(request));
  // Of several cookies only that of this host would be removed, and the one of another host of the domain would count.
  const isOnly = readSessionCookies(request.header('cookie')).length === 1;
  // That of an expired session remains: a form may follow the requests of scripts, and is kept for its session.
  if (isOnly && (await sessions.findExpired(event)) === undefined)
    response.fields.append('Set-Cookie', expiredCookie(sessions.cookieScope(event)));
  return response;
}
