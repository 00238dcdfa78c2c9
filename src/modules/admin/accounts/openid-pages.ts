import type { OpenidSignIn } from '../../openid';
import type { Session } from '../sessions/session';
import { openidCredentials, roleOf } from './openid-roles';
import type { AdminRole } from './roles';

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
