import type { MvcEvent } from '../../../framework';
import type { OpenidSignIn, Person, SignInTarget } from '../../openid';
import type { AuditActor } from '../audit/audit-entry';
import type { PageDependencies } from '../pages/page-dependencies';
import type { PageRoutes } from '../pages/page-routes';
import { sessionCookie } from '../sessions/session-cookie';
import { openidCredentials, roleOf } from './openid-roles';

/** Begins the names of administrators from the OpenID provider; names in password files contain no colon. */
const PREFIX = 'openid:';

/** Sign-in to the admin: the groups of the user decide about the role. */
export function adminTarget(
  { settings: openid }: OpenidSignIn,
  dependencies: PageDependencies,
  routes: PageRoutes,
): SignInTarget {
  const { access, audit, paths, sessions, settings } = dependencies;
  return {
    path: paths.home,
    alternative: { label: 'Sign in with a local account', path: paths.url('/sign-in') },
    assertAllowed: (event) => {
      const refusal = access.refusal(event.request);
      if (refusal !== undefined) throw refusal;
    },
    accept: async (event, person) => {
      const name = PREFIX + person.name;
      const actor: AuditActor = { ...visitor(event), name };
      const summary = `OpenID Connect: subject "${person.subject}" of ${openid.issuer}.`;
      if (roleOf(person.groups, openid) === undefined) {
        await audit.recordFailure({ action: 'sign_in', actor, code: 'no_role', summary }, false);
        return { refusal: noRole(person) };
      }
      return await audit.run({ action: 'sign_in', actor, summary }, async () => {
        const { token } = await sessions.start(name, openidCredentials(openid), settings.session, {
          groups: person.groups,
        });
        return { cookie: sessionCookie(token, routes.cookieScope(event)) };
      });
    },
    failed: (event, { code }) =>
      audit.recordFailure(
        { action: 'sign_in', actor: visitor(event), code, summary: 'OpenID Connect.' },
        false,
      ),
  };
}

function visitor({ request: { address, id: requestId } }: MvcEvent): AuditActor {
  return { name: null, via: 'page', address, requestId };
}

function noRole({ name }: Person): string {
  return `Your account “${name}” has no role in this admin. Ask an administrator of this service for access: it depends on your groups.`;
}
