import { Response } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { AdminPage } from '../pages/admin-page';
import type { PageDependencies, PageRoutes } from '../pages/page-routes';
import { sessionCookie } from '../sessions/session-cookie';
import type { FieldError } from '../changes/field-errors';
import { toFormErrors } from '../pages/form-errors';
import { newPassword } from './new-password';
import { verifyAdministrator } from './sign-in';

const PATH = '/account';

/** Creates the account page. Changing the password requires the current one and ends all other sessions. */
export function accountPage(
  dependencies: PageDependencies,
  routes: PageRoutes,
  throttle: Throttle,
): AdminPage {
  const { administrators, sessions, paths, settings } = dependencies;
  return {
    name: 'account',
    pattern: PATH,
    GET: ({ session, show }) =>
      show('account', { startedAt: new Date(session.startedAt), limits: settings.session }),
    POST: async ({ event, form, session, show }) => {
      const showErrors = (errors: readonly FieldError[]): ReturnType<typeof show> =>
        show('account', { errors, startedAt: new Date(session.startedAt), limits: settings.session }, 422);
      try {
        const current = { name: session.user, password: form.get('old') ?? '' };
        if (!(await verifyAdministrator(throttle, event, administrators, current)))
          return showErrors([{ pointer: '/old', message: 'Wrong password.' }]);
        await administrators.set(session.user, newPassword(form, session.user), 'existing');
      } catch (error) {
        return showErrors(toFormErrors(error));
      }
      sessions.endAll(session.user);
      const credentials = (await administrators.credentialsOf(session.user)) ?? '';
      const next = sessions.start(session.user, credentials);
      sessions.addMessage(next.session, { text: 'Password changed. Your other sessions have ended.' });
      return new Response(303, null, [
        ['Location', paths.url(PATH)],
        ['Set-Cookie', sessionCookie(next.token, routes.cookieScope(event))],
      ]);
    },
  };
}
