import { problem, type MvcEvent } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { PageResult } from '../pages/admin-page';
import type { OpenPage, PageDependencies, PageRoutes } from '../pages/page-routes';
import { pageView } from '../pages/page-view';
import type { Claim } from './claim-link';
import { formErrorsOf } from '../pages/form-errors';
import { isLocalRequest } from '../access/networks';
import { newPassword } from './new-password';
import { throttled } from './sign-in';
import { startSession } from './sign-in-pages';

/** Where the one-time link leads, below the admin. */
export const CLAIM_PATH = '/claim';

/** What guesses at the link are counted under. */
const REALM = 'Claim';

/** The page that the one-time link leads to, where the first administrator takes a name and a password. */
export function claimPage(
  parts: PageDependencies,
  routes: PageRoutes,
  throttle: Throttle,
  claim: () => Claim | undefined,
): OpenPage {
  const { administrators, paths } = parts;
  const assertClaims = async (event: MvcEvent, token: string | null): Promise<void> => {
    const { request } = event;
    if (!isLocalRequest(request)) throw problem('claim_link_invalid', {});
    const guess = token ?? '';
    const fits = await throttled(throttle, event, { realm: REALM, username: '', guess }, () =>
      Promise.resolve(claim()?.fits(guess) === true),
    );
    if (!fits || (await administrators.names()).length > 0) throw problem('claim_link_invalid', {});
  };
  const show = (token: string | null, name = '', errors: readonly object[] = []): PageResult =>
    pageView(
      'claim',
      { token: token ?? '', name, errors },
      { paths, here: CLAIM_PATH, session: undefined, messages: [] },
    );
  return {
    name: 'claim',
    pattern: CLAIM_PATH,
    // Whatever the networks: somebody has to be the first, and is on the machine itself.
    allNetworks: true,
    GET: async (event) => {
      const token = event.request.query.get('token');
      await assertClaims(event, token);
      return show(token);
    },
    POST: async (event, form) => {
      const token = form.get('token');
      await assertClaims(event, token);
      const name = form.get('name') ?? '';
      try {
        const password = newPassword(form, name);
        await administrators.set(name, password, 'first');
      } catch (error) {
        const errors = formErrorsOf(error);
        event.response.status = 422;
        return show(token, name, errors);
      }
      claim()?.end();
      return await startSession(parts, routes, event, { name });
    },
  };
}
