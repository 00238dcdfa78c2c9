import { problem, type MvcEvent, type Problem } from '../../../framework';
import type { OpenidSignIn, Person, SignInTarget } from '../../openid';
import type { AuditActor } from '../audit/audit-entry';
import type { AdminPage, PageContext } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-dependencies';
import type { PageRoutes } from '../pages/page-routes';
import { sessionCookie } from '../sessions/session-cookie';
import type { Session } from '../sessions/session';
import { openidCredentials, roleOf } from './openid-roles';
import type { AdminRole } from './roles';

/** Begins the names of administrators from the OpenID provider; names in password files contain no colon. */
const PREFIX = 'openid:';

/** The sign-in with the OpenID provider, as the pages of the admin use it. */
export interface OpenidPages {
  readonly label: string;
  /** The credentials that sessions are bound to. */
  readonly credentials: string;
  /** Returns the URL that starts a sign-in. @param path of the page to return to */
  signInUrl(path: string): string;
  /** Returns the role that the groups of a session have now; undefined for none. */
  roleOf(session: Session): AdminRole | undefined;
  /** The page after signing out. */
  readonly signedOutUrl: string;
}

/** @param home the path of the admin */
export function openidPages(signIn: OpenidSignIn, home: string): OpenidPages | undefined {
  const { settings } = signIn;
  if (Object.keys(settings.adminRoles).length === 0) return undefined;
  return {
    label: settings.label,
    credentials: openidCredentials(settings),
    signInUrl: (path) => signIn.url(path),
    roleOf: ({ openid }) => openid && roleOf(openid.groups, settings),
    signedOutUrl: `${signIn.path}/signed-out?return=${encodeURIComponent(home)}`,
  };
}

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

/** The account page of administrators from the provider, who have no password here. */
export function withOpenidAccount(page: AdminPage, settings: PageDependencies['settings']): AdminPage {
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
