import type { HandlerContext } from '../../hosting';
import type { Actor, Change } from '../changes/change';
import type { Applied } from '../changes/configuration-changes';
import type { AdminServices } from '../services';

/** Who calls, as the history of changes names them. */
export function actorOf({ identity, event }: HandlerContext): Actor {
  const scheme = /^[^ ]*/.exec(event.request.header('authorization') ?? '')?.[0] ?? '';
  const [adapter, another] = event.guard?.adaptersFor(scheme) ?? [];
  return {
    name: identity.name ?? 'unknown',
    via: 'api',
    address: event.request.address,
    host: event.request.host,
    groups: identity.groups,
    ...(adapter === undefined || another !== undefined ? {} : { adapter: adapter.name }),
  };
}

/**
 * Applies a change that a request asks for. The revision that the client has seen (`If-Match`) is compared again when
 * the change is written.
 */
export async function applyChange(
  context: HandlerContext,
  { changes }: AdminServices,
  change: Change,
): Promise<Applied> {
  const { ifMatch } = context.precondition;
  const current = changes.tagOf(change.subject);
  const seen = ifMatch === undefined || ifMatch === '*' ? undefined : ifMatch.find((tag) => tag === current);
  return changes.apply(change, actorOf(context), { ifMatch: seen });
}
