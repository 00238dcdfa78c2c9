import type { Application, MvcEvent } from '../../../framework';
import { parseCredentials, readBasicCredentials } from '../../mvc-auth';
import { isAdminApiRoute } from '../access/admin-access-listener';
import type { Administrators } from '../accounts/administrators';
import { AdministratorsAdapter } from '../accounts/administrators-adapter';
import type { AuditLog } from './audit-log';
import { visitorOf } from './visitor';

/** Records what happens outside the pages and the actions: sign-ins of administrators that fail at APIs and documentation, and reloads by signal. */
export function observeForAudit(
  { observers }: Pick<Application, 'observers'>,
  audit: AuditLog,
  administrators: Administrators,
): void {
  observers.observe('completed', function auditFailedSignIn(event) {
    const name = refusedNameOf(event);
    if (name === undefined) return undefined;
    const code = event.problem?.status === 401 ? undefined : event.problem?.code;
    return visitorOf(event, administrators, name).then((visitor) => {
      const actor = { ...visitor, via: 'api' } as const;
      // A code other than that of a 401 is an answer to the correct password.
      return code === undefined
        ? audit.recordFailure({ action: 'sign_in', actor }, event.verifiedCredentials === true)
        : audit.record({ action: 'sign_in', actor, outcome: 'failure', code });
    });
  });
  observers.observe('reloaded', function auditReload({ error }) {
    const outcome = error === undefined ? 'success' : 'failure';
    return audit.record({ action: 'reload', actor: { name: null, via: 'signal' }, outcome });
  });
}

/** The user name of refused credentials, empty if unknown; undefined for any other request. */
function refusedNameOf(event: MvcEvent): string | undefined {
  const { guard, problem, request } = event;
  // The password may be correct where Basic is not enough.
  const isRefused = problem?.status === 401 || problem?.code === 'second_factor_required';
  // A Digest client signs in with genuine credentials again after its nonce has expired.
  if (!isRefused || event.staleCredentials === true) return undefined;
  if (guard?.hasCredentials(request) !== true || !signsInAdministrators(event)) return undefined;
  const credentials = parseCredentials(request.header('authorization') ?? '');
  return credentials?.scheme === 'basic' ? (readBasicCredentials(credentials)?.username ?? '') : '';
}

/** Whether credentials of a request could be those of an administrator, whatever it is for and however it ends. */
function signsInAdministrators({ guard, match, request }: MvcEvent): boolean {
  const isAdminApi = match !== undefined && isAdminApiRoute(match);
  return (
    isAdminApi ||
    guard?.adaptersForRequest(request).some((adapter) => adapter instanceof AdministratorsAdapter) === true
  );
}
