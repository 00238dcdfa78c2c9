import { Problem, Response, type MvcEvent } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { AdminPage, OpenPage, PageResult } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-dependencies';
import type { PageRoutes } from '../pages/page-routes';
import { respondWith } from '../pages/forms/form-errors';
import { pageView } from '../pages/page-view';
import { UNSAVED } from '../pages/sign-in/sign-in-redirect';
import { expiredCookie, sessionCookie } from '../sessions/session-cookie';
import type { AuditActor } from '../audit/audit-entry';
import { visitorOf } from '../audit/visitor';
import type { PendingSignIns } from './second-factor/pending-sign-in';
import { signInCodeView } from './second-factor/sign-in-code-view';
import { verifyAdministrator } from './sign-in';

const PATH = '/sign-in';

/** The maximum number of characters of a rejected name that the form displays. */
const MAX_SHOWN_LENGTH = 255;

/**
 * Starts a session, replacing the browser's previous one, and redirects.
 * @param user `credentials`: the stored hash that was verified, never one that is read afterwards: a password that was
 *   replaced during the verification starts no session
 */
export async function startSession(
  dependencies: PageDependencies,
  routes: PageRoutes,
  event: MvcEvent,
  user: { readonly name: string; readonly credentials: string; readonly back?: string | null },
): Promise<Response> {
  const { sessions, shownReviews, administrators, paths, settings } = dependencies;
  const previous = await routes.sessionOf(event);
  if (previous !== undefined) {
    await sessions.end(previous);
    await shownReviews.removeAll(previous.id);
  }
  // The administrator was removed or has another password since the verification.
  if ((await administrators.credentialsOf(user.name)) !== user.credentials)
    return new Response(303, null, [['Location', paths.url(PATH)]]);
  const { token } = await sessions.start(user.name, user.credentials, settings.session);
  return new Response(303, null, [
    ['Location', paths.safe(user.back)],
    ['Set-Cookie', sessionCookie(token, routes.cookieScope(event))],
  ]);
}

/** As {@link startSession}, and records the sign-in: without a session, it has failed. */
export function recordSession(
  dependencies: PageDependencies,
  routes: PageRoutes,
  event: MvcEvent,
  { actor, ...user }: Parameters<typeof startSession>[3] & { readonly actor: AuditActor },
): Promise<Response> {
  return dependencies.audit.run(
    { action: 'sign_in', actor },
    () => startSession(dependencies, routes, event, user),
    ({ fields }) => (fields.has('Set-Cookie') ? {} : { outcome: 'failure', code: 'password_replaced' }),
  );
}

/** Creates the sign-in page. */
export function signInPage(
  dependencies: PageDependencies,
  routes: PageRoutes,
  { throttle, pending }: { readonly throttle: Throttle; readonly pending: PendingSignIns },
): OpenPage {
  const { administrators, audit, openid, paths } = dependencies;
  const show = async (
    event: MvcEvent,
    typed: { readonly name?: string; readonly back: string | null },
    failure?: string,
  ): Promise<PageResult> => {
    const variables = {
      name: (typed.name ?? '').slice(0, MAX_SHOWN_LENGTH),
      back: typed.back ?? '',
      failure,
      isUnsaved: event.request.query.has(UNSAVED),
      hasAdministrators: (await administrators.names()).length > 0,
      openid: openid && { label: openid.label, href: openid.signInUrl(paths.safe(typed.back)) },
    };
    return pageView('sign-in', variables, { paths, currentPath: PATH, session: undefined, messages: [] });
  };
  return {
    name: 'sign-in',
    pattern: PATH,
    GET: async (event) => {
      const back = event.request.query.get('return');
      if ((await routes.sessionOf(event)) !== undefined)
        return new Response(303, null, [['Location', paths.safe(back)]]);
      return show(event, { back });
    },
    POST: async (event, form) => {
      const name = form.get('name') ?? '';
      const back = form.get('return');
      try {
        const sent = { name, password: form.get('password') ?? '' };
        const credentials = await verifyAdministrator(throttle, event, administrators, sent);
        const actor = await visitorOf(event, administrators, name);
        if (credentials !== undefined) {
          // Nobody signs in while the roles cannot be read.
          await administrators.roleOf(name);
          if ((await administrators.secondFactorOf(name)) !== undefined)
            return signInCodeView(dependencies, { pending: pending.seal(name, credentials), back });
          return await recordSession(dependencies, routes, event, { actor, name, credentials, back });
        }
        await audit.recordFailure({ action: 'sign_in', actor }, true);
        event.response.status = 403;
        return await show(event, { name, back }, 'Wrong name or password.');
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        respondWith(event, error);
        return await show(event, { name, back }, error.detail);
      }
    },
  };
}

/** Creates the sign-out page. It accepts forms only, since any site could contain a link. */
export function signOutPage(
  { sessions, shownReviews, paths, audit, openid }: PageDependencies,
  routes: PageRoutes,
): AdminPage {
  return {
    name: 'sign-out',
    pattern: '/sign-out',
    role: 'viewer',
    POST: async ({ session, event, actor }) => {
      await sessions.end(session);
      await shownReviews.removeAll(session.id);
      await audit.record({ action: 'sign_out', actor, outcome: 'success' });
      const next = session.openid === undefined ? undefined : openid?.signedOutUrl;
      return new Response(303, null, [
        ['Location', next ?? paths.url(PATH)],
        ['Set-Cookie', expiredCookie(routes.cookieScope(event))],
      ]);
    },
  };
}
