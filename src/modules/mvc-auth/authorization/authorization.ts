import {
  andThen,
  isThenable,
  problem,
  Response,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Problem,
} from '../../../framework';
import { AuthorizationEvent, hasCustomAuthorization } from '../auth-events';
import { decide } from './decision';
import { guest, type Identity } from '../identity';
import type { PolicyDecision } from './policy';
import type { AccessRule } from '../settings';

const isDecision = (result: unknown): result is boolean => typeof result === 'boolean';

/** Authorizes requests through the events `authorization` and `authorization.post`. */
export class Authorization {
  readonly #events: EventManager<ApplicationEvents>;

  constructor(events: EventManager<ApplicationEvents>) {
    this.#events = events;
  }

  /**
   * No event is created without listeners of modules.
   * @throws Problem 401 for guests if an adapter is mapped, otherwise 403
   */
  authorize(event: MvcEvent): MaybePromise<Response | undefined> {
    const rule: AccessRule = event.access ?? event.endpoint?.access ?? 'guest';
    const identity = event.identity ?? guest;
    if (hasCustomAuthorization(this.#events) && event.request.method !== 'OPTIONS')
      return this.#trigger(new AuthorizationEvent(event, identity, rule));
    const decision = decide(event, rule, identity);
    if (isThenable(decision)) return decision.then((settled) => assertPermitted(event, identity, settled));
    return assertPermitted(event, identity, decision);
  }

  #trigger(event: AuthorizationEvent): MaybePromise<Response | undefined> {
    const authorized = this.#events.triggerUntil(
      (result) => isDecision(result) || result instanceof Response,
      'authorization',
      event,
    );
    return andThen(authorized, ({ last }) => {
      if (last instanceof Response) return last;
      event.permitted = last === true;
      const post = this.#events.triggerUntil(
        (result) => result instanceof Response,
        'authorization.post',
        event,
      );
      return andThen(post, (results) => {
        if (results.last instanceof Response) return results.last;
        const { mvcEvent, identity, permitted, reason } = event;
        return assertPermitted(mvcEvent, identity, permitted || (reason ?? false));
      });
    });
  }
}

/** @throws Problem 401 or 403 */
function assertPermitted(
  event: MvcEvent,
  identity: Identity,
  decision: PolicyDecision,
): Response | undefined {
  if (decision === true) return undefined;
  throw refusal(event, identity, decision);
}

function refusal(event: MvcEvent, { isGuest }: Identity, reason: string | false): Problem {
  if (isGuest) return guestRefusal(event);
  return reason === false ? problem('forbidden', {}) : problem('forbidden_by_policy', { reason });
}

/** The problem of an operation that guests may not use: 401 with the challenges, or 403 if nobody can sign in. */
export function guestRefusal({ guard }: MvcEvent): Problem {
  return guard?.unauthorized() ?? problem('forbidden_to_guests', {});
}
