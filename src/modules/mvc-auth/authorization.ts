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
} from '../../framework';
import { AuthorizationEvent, hasOwnAuthorization } from './auth-events';
import { decide } from './decision';
import { guest, type Identity } from './identity';
import type { PolicyDecision } from './policy';
import type { AccessRule } from './settings';

const isDecision = (result: unknown): result is boolean => typeof result === 'boolean';

/** Finds out whether they may, through the events `authorization` and `authorization.post`. */
export class Authorization {
  readonly #events: EventManager<ApplicationEvents>;

  constructor(events: EventManager<ApplicationEvents>) {
    this.#events = events;
  }

  /**
   * Without listeners but the built-in one, no event is made.
   * @throws Problem 401 for guests where there is a way to sign in, otherwise 403
   */
  authorize(event: MvcEvent): MaybePromise<Response | undefined> {
    const rule: AccessRule = event.access ?? event.endpoint?.access ?? 'guest';
    const identity = event.identity ?? guest;
    if (hasOwnAuthorization(this.#events) && event.request.method !== 'OPTIONS')
      return this.#ask(new AuthorizationEvent(event, identity, rule));
    const decision = decide(event, rule, identity);
    if (isThenable(decision)) return decision.then((settled) => pass(event, identity, settled));
    return pass(event, identity, decision);
  }

  #ask(event: AuthorizationEvent): MaybePromise<Response | undefined> {
    const asked = this.#events.triggerUntil(
      (result) => isDecision(result) || result instanceof Response,
      'authorization',
      event,
    );
    return andThen(asked, ({ last }) => {
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
        return pass(mvcEvent, identity, permitted || (reason ?? false));
      });
    });
  }
}

/** Nothing is answered to who may. @throws Problem 401 or 403 */
function pass(event: MvcEvent, identity: Identity, decision: PolicyDecision): Response | undefined {
  if (decision === true) return undefined;
  throw refusal(event, identity, decision);
}

/** Guests are asked to sign in where there is a way to; users who may not are told so. */
function refusal({ guard }: MvcEvent, { isGuest }: Identity, reason: string | false): Problem {
  if (!isGuest)
    return reason === false ? problem('forbidden', {}) : problem('forbidden_by_policy', { reason });
  return guard?.unauthorized() ?? problem('forbidden_to_guests', {});
}
