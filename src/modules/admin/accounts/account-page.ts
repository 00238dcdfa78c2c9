import { Response } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { AdminPage } from '../pages/admin-page';
import type { PageDependencies, PageRoutes } from '../pages/page-routes';
import { sessionCookie } from '../sessions/session-cookie';
import { formErrorsOf, type FieldError } from '../pages/form-errors';
import { newPassword } from './new-password';
import { verifyAdministrator } from './sign-in';

const HERE = '/account';

/** One's own password. Whoever changes it proves to know the old one; it ends every other session. */
export function accountPage(parts: PageDependencies, routes: PageRoutes, throttle: Throttle): AdminPage {
  const { administrators, sessions, paths, settings } = parts;
  return {
    name: 'account',
    pattern: HERE,
    GET: ({ session, show }) =>
      show('account', { startedAt: new Date(session.startedAt), limits: settings.session }),
    POST: async ({ event, form, session, show }) => {
      const again = (errors: readonly FieldError[], status: number): ReturnType<typeof show> =>
        show('account', { errors, startedAt: new Date(session.startedAt), limits: settings.session }, status);
      try {
        const old = { name: session.user, password: form.get('old') ?? '' };
        if (!(await verifyAdministrator(throttle, event, administrators, old)))
          return again([{ pointer: '/old', message: 'Wrong password.' }], 422);
        await administrators.set(session.user, newPassword(form, session.user), 'known');
      } catch (error) {
        return again(formErrorsOf(error), 422);
      }
      sessions.endOf(session.user);
      const credentials = (await administrators.credentialsOf(session.user)) ?? '';
      const next = sessions.start(session.user, credentials);
      sessions.tell(next.session, { text: 'Password changed. Your other sessions have ended.' });
      return new Response(303, null, [
        ['Location', paths.url(HERE)],
        ['Set-Cookie', sessionCookie(next.token, routes.cookieScope(event))],
      ]);
    },
  };
}
