import path from 'node:path';
import { ApplicationHost, problem, type Application } from '../../../framework';
import { Catalogue, type HostedEndpoint } from '../../hosting';
import { AuthenticatedIdentity, isPolicyRule, permits } from '../../mvc-auth';
import { AdminAccess } from '../access/admin-access';
import { Administrators } from '../accounts/administrators';
import { openidLockoutReason } from '../accounts/openid-roles';
import { includesRole } from '../accounts/roles';
import { ADMIN_KEY, adminSettings, type AdminSettings } from '../settings';
import type { Actor } from './change';

/** The name of the admin module. */
const MODULE = 'admin';

/** The name of the admin API. */
export const ADMIN_API = 'Admin';

/** The services of the admin API that revert changes. */
const REVERT_SERVICES: readonly string[] = ['Restore', 'Undo'];

/**
 * Rejects an application in which the author of a change could not revert it. Command line users have access to the
 * files and cannot be locked out.
 * @throws Problem 409 with the reason
 */
export async function assertNotLockedOut(candidate: Application, actor: Actor): Promise<void> {
  if (actor.via === 'command') return;
  const reason =
    moduleReason(candidate) ??
    originReason(candidate, actor) ??
    (await administratorReason(candidate, actor)) ??
    (actor.via === 'api' ? await apiReason(candidate, actor) : undefined);
  if (reason !== undefined) throw problem('would_lock_out', { reason });
}

function settingsOf({ configuration }: Application): AdminSettings {
  return configuration.section(ADMIN_KEY, adminSettings);
}

function moduleReason(candidate: Application): string | undefined {
  if (candidate.modules.every(({ name }) => name !== MODULE))
    return `the module "${MODULE}" is no longer listed in config/application.json.`;
  return settingsOf(candidate).enabled
    ? undefined
    : `${ADMIN_KEY}.enabled would be false. To disable the admin, edit the file.`;
}

/** Checks network address, host name and TLS. */
function originReason(candidate: Application, { address, host, origin, via }: Actor): string | undefined {
  const access = new AdminAccess(candidate.configuration);
  if (address !== undefined && !access.isInside(address))
    return `your address ${address} would no longer be in ${ADMIN_KEY}.allow.`;
  if (access.hostRefusal(host) !== undefined)
    return `the host name ${host ?? ''} that you use would no longer be in ${ADMIN_KEY}.hosts.`;
  return via === 'page' && settingsOf(candidate).secure_cookies && origin?.startsWith('http:') === true
    ? `${ADMIN_KEY}.secure_cookies requires TLS, and you are connected without it. Connect with https first.`
    : undefined;
}

/** Checks that an administrator remains: on the pages the author with the same role, otherwise anybody. */
async function administratorReason(
  candidate: Application,
  { name, via, openid, role = 'administrator' }: Actor,
): Promise<string | undefined> {
  if (openid !== undefined) return openidLockoutReason(candidate, openid.groups, role);
  const { administrators: file } = settingsOf(candidate);
  const administrators = administratorsIn(candidate);
  const after = await administrators.names();
  if (via === 'page') {
    if (!after.includes(name))
      return `"${name}" is not an administrator in ${file}. Add yourself there first.`;
    const next = await administrators.roleOf(name);
    return includesRole(next, role)
      ? undefined
      : `the role of "${name}" would be ${next}, as ${file} has other roles. Set yours there to ${role} first.`;
  }
  const running = candidate.sharedState.find(ApplicationHost)?.current;
  const isLast =
    after.length === 0 && running !== undefined && (await administratorsIn(running).names()).length > 0;
  return isLast ? `${file} contains no administrator. Add one there first.` : undefined;
}

function administratorsIn(application: Application): Administrators {
  const { administrators } = settingsOf(application);
  return new Administrators(path.resolve(application.configuration.root, administrators));
}

/** Checks that the user of the admin API could still authenticate and revert the change. */
async function apiReason(candidate: Application, actor: Actor): Promise<string | undefined> {
  const { adapter, groups, scopes, identity: name = actor.name } = actor;
  const operations = await revertOperations(candidate, adapter);
  if (operations.length === 0) {
    return adapter === undefined
      ? `no adapter would guard the API "${ADMIN_API}", so nobody could sign in to it.`
      : `the adapter "${adapter}", which you signed in with, would no longer guard the API "${ADMIN_API}".`;
  }
  const identity = new AuthenticatedIdentity(name, groups, scopes);
  const isPermitted = ({ access }: HostedEndpoint): boolean => permits(access, identity);
  if (operations.some(isPermitted)) return undefined;
  const policies = policiesOf(operations);
  const running = candidate.sharedState.find(ApplicationHost)?.current;
  const before = running === undefined ? [] : await revertOperations(running, adapter);
  const asked = policiesOf(before);
  // What a policy decides is only known with a request. Authors who depend on policies already keep all of them: one
  // that refuses them could be all that is left.
  const isKept =
    asked.length > 0 && !before.some(isPermitted) && asked.every((one) => policies.includes(one));
  if (isKept) return undefined;
  const services = REVERT_SERVICES.join(', ');
  const rules = `the rules of the API "${ADMIN_API}"`;
  if (policies.length === 0) return `${rules} would not allow "${name}" to revert this (${services}).`;
  return `${rules} would ask a policy, which may not allow "${name}" to revert this (${services}). Name yourself in the rule of one of them, or make the change on the admin pages.`;
}

/** The operations that revert changes, if users of an adapter reach them; of any adapter if it is undefined. */
async function revertOperations(
  { services }: Application,
  adapter: string | undefined,
): Promise<readonly HostedEndpoint[]> {
  const catalogue = services.has(Catalogue) ? await services.get(Catalogue) : undefined;
  const all = catalogue?.version(ADMIN_API)?.services ?? [];
  return all
    .filter(({ name }) => REVERT_SERVICES.includes(name))
    .filter(
      ({ guard }) =>
        guard !== undefined && (adapter === undefined || guard.adapters.some((one) => one.name === adapter)),
    )
    .flatMap(({ operations }) => operations);
}

/** The policies with the operations that ask them, since a policy also decides by the operation. */
function policiesOf(operations: readonly HostedEndpoint[]): readonly string[] {
  return operations.flatMap(({ name, access }) => (isPolicyRule(access) ? [`${name} ${access.policy}`] : []));
}
