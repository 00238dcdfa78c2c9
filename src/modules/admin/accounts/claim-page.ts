import { problem, type MvcEvent } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { PageResult } from '../pages/admin-page';
import type { OpenPage, PageParts, PageRoutes } from '../pages/page-routes';
import { pageView } from '../pages/page-view';
import type { Claim } from './claim';
import { formErrorsOf } from './form-errors';
import { isLoopback } from './networks';
import { newPassword } from './new-password';
import { slowly } from './sign-in';
import { begin } from './sign-in-pages';

/** Where the one-time link leads, below the admin. */
export const CLAIM_PATH = '/claim';

/** What guesses at the link are counted under. */
const REALM = 'Claim';

/** A proxy on this machine makes everyone look like somebody on this machine. */
const PROXIED = ['forwarded', 'x-forwarded-for', 'via'];

/** The page that the one-time link leads to, where the first administrator takes a name and a password. */
export function claimPage(
  parts: PageParts,
  routes: PageRoutes,
  throttle: Throttle,
  claim: () => Claim | undefined,
): OpenPage {
  const { administrators, paths } = parts;
  const assertClaims = async (event: MvcEvent, token: string | null): Promise<void> => {
    const { request } = event;
    const isNear = isLoopback(request.address) && PROXIED.every((name) => request.header(name) === undefined);
    if (!isNear) throw problem('claim_refused', {});
    const guess = token ?? '';
    const fits = await slowly(throttle, event, { realm: REALM, username: '', guess }, () =>
      Promise.resolve(claim()?.fits(guess) === true),
    );
    if (!fits || (await administrators.names()).length > 0) throw problem('claim_refused', {});
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
    anywhere: true,
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
      return await begin(parts, routes, event, { name });
    },
  };
}
