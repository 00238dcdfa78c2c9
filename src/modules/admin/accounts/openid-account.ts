import { problem, type Problem } from '../../../framework';
import type { AdminPage, PageContext } from '../pages/admin-page';
import type { AdminSettings } from '../settings';

/** The account page of administrators from the provider, who have no password here. */
export function withOpenidAccount(page: AdminPage, settings: AdminSettings): AdminPage {
  const { GET, POST } = page;
  return {
    ...page,
    GET: (context) => {
      const { openid, startedAt } = context.session;
      if (openid === undefined && GET !== undefined) return GET(context);
      const { groups = [] } = openid ?? {};
      return context.show('openid-account', {
        groups,
        startedAt: new Date(startedAt),
        limits: settings.session,
      });
    },
    POST: (context) => {
      if (context.session.openid === undefined && POST !== undefined) return POST(context);
      throw managedByProvider();
    },
  };
}

/** A page for local administrators: those from the provider are sent to their account page. */
export function localOnly(page: AdminPage): AdminPage {
  const { GET, POST } = page;
  return {
    ...page,
    ...(GET && {
      GET: (context: PageContext) =>
        context.session.openid === undefined ? GET(context) : context.redirect('/account'),
    }),
    ...(POST && {
      POST: (context: PageContext) => {
        if (context.session.openid === undefined) return POST(context);
        throw managedByProvider();
      },
    }),
  };
}

function managedByProvider(): Problem {
  const reason = 'Your password and your second factor are kept by the OpenID provider. Change them there.';
  return problem('bad_request', { reason });
}
