import { Response, type ViewModel } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { AdminPage, PageContext } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-dependencies';
import type { PageRoutes } from '../pages/page-routes';
import { sessionCookie } from '../sessions/session-cookie';
import { invalid, type FieldError } from '../changes/field-errors';
import { auditedChange, type FileChange } from '../changes/file-change';
import { newPassword } from './new-password';
import { verifyAdministrator } from './sign-in';

const PATH = '/account';

/** Creates the account page. Changing the password requires the current one and ends all other sessions. */
export function accountPage(
  dependencies: PageDependencies,
  routes: PageRoutes,
  throttle: Throttle,
): AdminPage {
  const { administrators, audit, sessions, paths, settings } = dependencies;
  const form = async ({ session, show }: PageContext, errors?: readonly FieldError[]): Promise<ViewModel> =>
    show('account', {
      errors,
      hasSecondFactor: (await administrators.secondFactorOf(session.user)) !== undefined,
      startedAt: new Date(session.startedAt),
      limits: settings.session,
    });
  return {
    name: 'account',
    pattern: PATH,
    role: 'viewer',
    GET: (context) => form(context),
    edit: (context) => form(context),
    POST: (context) => {
      const { event, form: sent, session, actor } = context;
      const prepare = async (): Promise<FileChange> => {
        const current = { name: session.user, password: sent.get('old') ?? '' };
        if ((await verifyAdministrator(throttle, event, administrators, current)) === undefined)
          throw invalid([{ pointer: '/old', message: 'Wrong password.' }]);
        return auditedChange(
          audit,
          { action: 'password_change', actor, target: session.user },
          await administrators.set(session.user, newPassword(sent, session.user), 'existing', { actor }),
        );
      };
      return context.review(prepare, {
        back: PATH,
        effect: 'This ends your other sessions.',
        // The hash that was stored: another one may have replaced it already.
        done: async ({ credentials = '' }) => {
          await sessions.endAll(session.user);
          const next = await sessions.start(session.user, credentials, settings.session);
          sessions.addMessage(next.session, { text: 'Password changed. Your other sessions have ended.' });
          return new Response(303, null, [
            ['Location', paths.url(PATH)],
            ['Set-Cookie', sessionCookie(next.token, routes.cookieScope(event))],
          ]);
        },
        invalid: (errors) => form(context, errors),
      });
    },
  };
}
