import { ApplicationHost, type Application } from '../../../framework';
import { OPENID_KEY, openidSettingsOf, type OpenidSettings } from '../../openid';
import { ADMIN_ROLES, includesRole, type AdminRole } from './roles';

/** Returns the highest role of the groups; undefined if none of them has one. */
export function roleOf(
  groups: readonly string[],
  { adminRoles }: Pick<OpenidSettings, 'adminRoles'>,
): AdminRole | undefined {
  const roles = groups.flatMap((group) => (Object.hasOwn(adminRoles, group) ? [adminRoles[group]] : []));
  return [...ADMIN_ROLES].reverse().find((role) => roles.includes(role));
}

/** What sessions are bound to: users of another issuer or client are others. */
export function openidCredentials({ issuer, clientId }: OpenidSettings): string {
  return `openid ${JSON.stringify([issuer, clientId])}`;
}

/**
 * Returns why an administrator from the OpenID provider could not revert a change in a candidate; undefined if they
 * could.
 */
export function openidLockoutReason(candidate: Application, groups: readonly string[]): string | undefined {
  const after = openidSettingsOf(candidate.configuration);
  if (after === undefined) return `${OPENID_KEY} would be removed, with which you have signed in.`;
  const running = candidate.sharedState.find(ApplicationHost)?.current;
  const before = running === undefined ? undefined : openidSettingsOf(running.configuration);
  if (before !== undefined && openidCredentials(before) !== openidCredentials(after))
    return `${OPENID_KEY} would name another issuer or client, and your session would end. Sign in as a local administrator to change it.`;
  const role = (before && roleOf(groups, before)) ?? 'viewer';
  const next = roleOf(groups, after);
  return next !== undefined && includesRole(next, role)
    ? undefined
    : `${OPENID_KEY}.admin.roles would no longer give your groups the role "${role}".`;
}
