import type { AdminRole } from '../accounts/roles';
import type { Session } from '../sessions/session';
import type { AdminPage } from './admin-page';
import type { PageDependencies } from './page-dependencies';

/** What the roles of administrators depend on. */
type RoleSources = Pick<PageDependencies, 'administrators' | 'openid' | 'settings'>;

/** Returns the role that the forms of a page require. */
export function requiredRole({ role, POST }: AdminPage): AdminRole {
  return role ?? (POST === undefined ? 'viewer' : 'administrator');
}

/** Returns the role of a valid session now. @throws Problem 503 if it cannot be read */
export async function roleOf(session: Session, { administrators, openid }: RoleSources): Promise<AdminRole> {
  if (session.openid === undefined) return await administrators.roleOf(session.user);
  // Checked with the session; the least role is the safe one.
  return openid?.roleOf(session) ?? 'viewer';
}

/** Whether a page is not available until the administrator has set up a second factor. */
export async function lacksSecondFactor(
  { user, openid }: Session,
  { name }: AdminPage,
  { administrators, settings }: RoleSources,
): Promise<boolean> {
  // The provider decides about the second factor of its users.
  if (!settings.require_second_factor || openid !== undefined) return false;
  // A review is that of a page which was available.
  if (['sign-out', 'review'].includes(name) || name.startsWith('account')) return false;
  return (await administrators.secondFactorOf(user)) === undefined;
}
