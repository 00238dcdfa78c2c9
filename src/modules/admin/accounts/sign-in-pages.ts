import { Problem, Response, type MvcEvent } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { AdminPage, PageResult } from '../pages/admin-page';
import { pageView } from '../pages/page-view';
import type { OpenPage, PageDependencies, PageRoutes } from '../pages/page-routes';
import { endedCookie, sessionCookie } from '../sessions/session-cookie';
import { verifyAdministrator } from './sign-in';

const HERE = '/sign-in';

/** How many characters of a name are shown again. */
const MAX_SHOWN_LENGTH = 255;

/** Begins a session in place of the one that the browser may have had, and leads on. */
export async function startSession(
  parts: PageDependencies,
  routes: PageRoutes,
  event: MvcEvent,
  user: { readonly name: string; readonly back?: string | null },
): Promise<Response> {
  const { sessions, administrators, paths } = parts;
  const before = await routes.sessionOf(event);
  if (before !== undefined) sessions.end(before);
  const credentials = await administrators.credentialsOf(user.name);
  // Taken away between the verdict and now.
  if (credentials === undefined) return new Response(303, null, [['Location', paths.url(HERE)]]);
  const { token } = sessions.start(user.name, credentials);
  return new Response(303, null, [
    ['Location', paths.safe(user.back)],
    ['Set-Cookie', sessionCookie(token, routes.cookieScope(event))],
  ]);
}

/** The sign-in page. */
export function signInPage(parts: PageDependencies, routes: PageRoutes, throttle: Throttle): OpenPage {
  const { administrators, paths } = parts;
  const show = async (
    event: MvcEvent,
    typed: { readonly name?: string; readonly back: string | null },
    failure?: string,
  ): Promise<PageResult> => {
    const variables = {
      name: (typed.name ?? '').slice(0, MAX_SHOWN_LENGTH),
      back: typed.back ?? '',
      failure,
      nobody: (await administrators.names()).length === 0,
    };
    return pageView('sign-in', variables, { paths, here: HERE, session: undefined, messages: [] });
  };
  return {
    name: 'sign-in',
    pattern: HERE,
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
        const right = await verifyAdministrator(throttle, event, administrators, {
          name,
          password: form.get('password') ?? '',
        });
        if (right) return await startSession(parts, routes, event, { name, back });
        event.response.status = 403;
        return await show(event, { name, back }, 'Wrong name or password.');
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        event.response.status = error.status;
        for (const [field, value] of error.fields) event.response.fields.set(field, value);
        return await show(event, { name, back }, error.detail);
      }
    },
  };
}

/** Signing out, by a form: a link could be on any site. */
export function signOutPage({ sessions, paths }: PageDependencies, routes: PageRoutes): AdminPage {
  return {
    name: 'sign-out',
    pattern: '/sign-out',
    POST: ({ session, event }) => {
      sessions.end(session);
      return new Response(303, null, [
        ['Location', paths.url(HERE)],
        ['Set-Cookie', endedCookie(routes.cookieScope(event))],
      ]);
    },
  };
}
