import type { Application, MvcEvent } from '../../../framework';
import type { Administrators } from '../accounts/administrators';
import { ADMIN_API } from '../changes/lockout';
import type { AuditLog } from './audit-log';
import { visitorOf } from './visitor';

/** Records what happens outside the pages and the actions: failed sign-ins to the admin API, and reloads by signal. */
export function observeForAudit(
  { observers }: Pick<Application, 'observers'>,
  audit: AuditLog,
  administrators: Administrators,
): void {
  observers.observe('completed', function auditFailedSignIn(event) {
    const name = refusedNameOf(event);
    if (name === undefined) return undefined;
    return visitorOf(event, administrators, name).then((actor) =>
      audit.record({
        action: 'sign_in',
        actor: { ...actor, via: 'api' },
        outcome: 'failure',
        ...(event.problem?.status === 401 ? {} : { code: event.problem?.code }),
      }),
    );
  });
  observers.observe('reloaded', function auditReload({ error }) {
    const outcome = error === undefined ? 'success' : 'failure';
    return audit.record({ action: 'reload', actor: { name: null, via: 'signal' }, outcome });
  });
}

/** The user name of refused credentials; undefined for any other request. */
function refusedNameOf({ endpoint, problem, request }: MvcEvent): string | undefined {
  // The password may be correct where Basic is not enough.
  const isRefused = problem?.status === 401 || problem?.code === 'second_factor_required';
  if (!isRefused || endpoint === undefined) return undefined;
  if (!('api' in endpoint) || endpoint.api !== ADMIN_API) return undefined;
  const [scheme = '', encoded = ''] = (request.header('authorization') ?? '').split(' ', 2);
  if (encoded === '') return undefined;
  if (scheme.toLowerCase() !== 'basic') return '';
  return Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '';
}
