import type { MvcEvent } from '../../../framework';
import type { Administrators } from '../accounts/administrators';
import type { AuditActor } from './audit-entry';

/**
 * Returns the sender of a request without a session. An unknown name is not recorded: it may be a password that was typed
 * into the wrong field.
 */
export async function visitorOf(
  { request }: MvcEvent,
  administrators: Pick<Administrators, 'names'>,
  name: string,
): Promise<AuditActor> {
  const isKnown = (await administrators.names()).includes(name);
  const { address, id: requestId } = request;
  return { name: isKnown ? name : null, via: 'page', address, requestId };
}
