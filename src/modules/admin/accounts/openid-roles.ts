import { ApplicationHost, type Application } from '../../../framework';
import { OPENID_KEY, openidSettingsOf, type OpenidSettings } from '../../openid';
import { highestRole, includesRole, type AdminRole } from './roles';

/** Returns the highest role of the groups; undefined if none of them has one. */
export function roleOf(
  groups: readonly string[],
  { adminRoles }: Pick<OpenidSettings, 'adminRoles'>,
): AdminRole | undefined {
  return highestRole(
    groups.flatMap((group) => (Object.hasOwn(adminRoles, group) ? (adminRoles[group] ?? []) : [])),
  );
}

/** What sessions are bound to: users of another issuer or client are others. */
export function openidCredentials({ issuer, clientId }: OpenidSettings): string {
  return `openid ${JSON.stringify([issuer, clientId])}`;
}

/**
 * Returns why an administrator from the OpenID provider could not revert a change in a candidate; undefined if they
 * could.
 * @param role of the author
 */
export function openidLockoutReason(
  candidate: Application,
  groups: readonly string[],
  role: AdminRole = 'administrator',
): string | undefined {
  const after = openidSettingsOf(candidate.configuration);
  if (after === undefined) return `${OPENID_KEY} would be removed, with which you have signed in.`;
  const running = candidate.sharedState.find(ApplicationHost)?.current;
  const before = running === undefined ? undefined : openidSettingsOf(running.configuration);
  if (before !== undefined && openidCredentials(before) !== openidCredentials(after))
    return `${OPENID_KEY} would name another issuer or client, and your session would end. Sign in as a local administrator to change it.`;
  const next = roleOf(groups, after);
  return next !== undefined && includesRole(next, role)
    ? undefined
    : `${OPENID_KEY}.admin.roles would no longer give your groups the role "${role}".`;
}
