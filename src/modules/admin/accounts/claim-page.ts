import { problem, type MvcEvent } from '../../../framework';
import type { Throttle } from '../../mvc-auth';
import type { OpenPage, PageResult } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-dependencies';
import type { PageRoutes } from '../pages/page-routes';
import { pageView } from '../pages/page-view';
import type { Claim } from './claim-link';
import { shownAgain } from '../pages/forms/form-errors';
import { isLocalRequest } from '../access/networks';
import { visitorOf } from '../audit/visitor';
import { auditedChange } from '../changes/file-change';
import { newPassword } from './new-password';
import { throttled } from './sign-in';
import { startSession } from './sign-in-pages';

/** The path of the one-time link, below the admin. */
export const CLAIM_PATH = '/claim';

/** The throttling realm of failed attempts. */
const REALM = 'Claim';

/** Creates the page of the one-time link, which creates the first administrator. */
export function claimPage(
  dependencies: PageDependencies,
  routes: PageRoutes,
  throttle: Throttle,
  claim: () => Claim | undefined,
): OpenPage {
  const { administrators, audit, paths } = dependencies;
  const assertValidLink = async (event: MvcEvent, token: string | null): Promise<void> => {
    const { request } = event;
    if (!isLocalRequest(request)) throw problem('claim_link_invalid', {});
    const guess = token ?? '';
    const attempt = { realm: REALM, username: '', guess };
    const isValid = await throttled(throttle, request.address, attempt, () =>
      Promise.resolve(claim()?.matches(guess) === true),
    );
    if (isValid && (await administrators.names()).length === 0) return;
    const actor = await visitorOf(event, administrators, '');
    await audit.recordFailure({ action: 'claim', actor, code: 'claim_link_invalid' }, true);
    throw problem('claim_link_invalid', {});
  };
  const show = (token: string | null, name = '', errors: readonly object[] = []): PageResult =>
    pageView(
      'claim',
      { token: token ?? '', name, errors },
      { paths, currentPath: CLAIM_PATH, session: undefined, messages: [] },
    );
  return {
    name: 'claim',
    pattern: CLAIM_PATH,
    // Local requests are always allowed, so that the first administrator can be created with any networks configured.
    allNetworks: true,
    GET: async (event) => {
      const token = event.request.query.get('token');
      await assertValidLink(event, token);
      return show(token);
    },
    POST: async (event, form) => {
      const token = form.get('token');
      await assertValidLink(event, token);
      const name = form.get('name') ?? '';
      let credentials: string;
      try {
        const password = newPassword(form, name);
        const actor = { ...(await visitorOf(event, administrators, '')), name };
        const change = await administrators.set(name, password, 'first');
        ({ credentials } = change);
        await auditedChange(audit, { action: 'claim', actor, target: name }, change).apply();
      } catch (error) {
        return await shownAgain(event, error, (errors) => show(token, name, errors));
      }
      claim()?.end();
      return await startSession(dependencies, routes, event, { name, credentials });
    },
  };
}
