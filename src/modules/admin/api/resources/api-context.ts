import type { HandlerContext } from '../../../hosting';
import { AdministratorsAdapter } from '../../accounts/administrators-adapter';
import { highestRole } from '../../accounts/roles';
import type { Actor, Change } from '../../changes/change';
import type { Applied } from '../../changes/change-effects';
import { invalid } from '../../changes/field-errors';
import type { AdminServices } from '../../services';

/** Additional statuses of operations that create something. */
export const CREATION_STATUSES = [{ code: 409, message: 'Conflict' }];

/** Additional statuses of operations that change something. */
export const CHANGE_STATUSES = [...CREATION_STATUSES, { code: 412, message: 'Precondition Failed' }];

/** Returns the author of changes that a request makes. */
export function actorOf({ identity, event }: HandlerContext): Actor {
  const role = highestRole(identity.groups);
  const adapters = event.guard?.adaptersForRequest(event.request) ?? [];
  const used = adapters.find(({ name }) => name === event.authenticated?.adapter) ?? adapters[0];
  const name = identity.name ?? 'unknown';
  return {
    // The owner of a key is not the administrator of the same name.
    name: used === undefined || used instanceof AdministratorsAdapter ? name : `${used.name}:${name}`,
    identity: name,
    via: 'api',
    address: event.request.address,
    requestId: event.request.id,
    host: event.request.host,
    groups: identity.groups,
    scopes: identity.scopes,
    // Without a role, the operator has allowed it in the rules of the API.
    ...(role === undefined ? {} : { role }),
    ...(used === undefined ? {} : { adapter: used.name }),
  };
}

/**
 * Prepares and applies a change on behalf of a request. The tag in `If-Match` is compared when the change is written, since
 * the subject may have changed after the request was checked.
 * @throws Problem 412
 */
export async function applyChange(
  context: HandlerContext,
  { changes }: AdminServices,
  prepare: () => Promise<Change>,
): Promise<Applied> {
  const change = await changes.prepared(prepare);
  const { ifMatch } = context.precondition;
  const current = changes.tagOf(change.subject);
  // Without a current tag, any other is refused.
  const expected =
    ifMatch === undefined || ifMatch === '*' ? undefined : (ifMatch.find((tag) => tag === current) ?? '');
  return changes.apply(change, actorOf(context), { ifMatch: expected });
}

/**
 * Asserts that the body of a PUT repeats what identifies its entity, or omits it: otherwise it asks for another one.
 * @param members the sent and the current value of each
 * @throws Problem 422
 */
export function assertKept(
  members: Readonly<Record<string, readonly [sent: string | undefined, current: string]>>,
): void {
  const errors = Object.entries(members).flatMap(([name, [sent, current]]) => {
    const message = `It is ${JSON.stringify(current)}, and cannot be changed. Omit it, or remove this one and add another.`;
    return sent === undefined || sent === current ? [] : [{ pointer: `/${name}`, message }];
  });
  if (errors.length > 0) throw invalid(errors);
}
