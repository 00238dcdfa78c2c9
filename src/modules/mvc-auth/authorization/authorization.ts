import {
  andThen,
  isOutcome,
  isThenable,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Problem,
  type Response,
} from '../../../framework';
import type { AccessRule } from './access-rule';
import { isAlwaysGuest } from '../authentication/authentication';
import { AuthorizationEvent, hasCustomAuthorization } from '../auth-events';
import { decide, ruleOf } from './decision';
import { guest, type Identity } from '../identity';
import type { PolicyDecision } from './policy';
import { refusalOf } from './refusal';

/** @throws TypeError for a reason, as a policy returns it to refuse: ignored, the rule might permit the request */
function isDecision(result: unknown): result is boolean {
  if (typeof result !== 'string') return typeof result === 'boolean';
  throw new TypeError(
    'A listener of authorization returned a string. Return false, and set event.reason to the reason of the refusal.',
  );
}

/** Authorizes requests through the events `authorization` and `authorization.post`. */
export class Authorization {
  readonly #events: EventManager<ApplicationEvents>;

  constructor(events: EventManager<ApplicationEvents>) {
    this.#events = events;
  }

  /**
   * No event is created without listeners of modules.
   * Returns a Problem if the rule does not permit the request: 401 for guests if an adapter is mapped, otherwise 403.
   */
  authorize(event: MvcEvent): MaybePromise<Response | Error | undefined> {
    const rule = ruleOf(event);
    const identity = event.identity ?? guest;
    if (hasCustomAuthorization(this.#events) && !isAlwaysGuest(event.request.method))
      return this.#trigger(new AuthorizationEvent(event, identity, rule));
    const decision = decide(event, rule, identity);
    if (isThenable(decision)) return decision.then((settled) => problemOf(event, rule, identity, settled));
    return problemOf(event, rule, identity, decision);
  }

  #trigger(event: AuthorizationEvent): MaybePromise<Response | Error | undefined> {
    const authorized = this.#events.triggerUntil(
      (result) => isDecision(result) || isOutcome(result),
      'authorization',
      event,
    );
    return andThen(authorized, ({ last }) => {
      if (isOutcome(last)) return last;
      event.permitted = last === true;
      const post = this.#events.triggerUntil(isOutcome, 'authorization.post', event);
      return andThen(post, (results) => {
        if (isOutcome(results.last)) return results.last;
        const { mvcEvent, rule, identity, permitted, reason } = event;
        return problemOf(mvcEvent, rule, identity, permitted || (reason ?? false));
      });
    });
  }
}

/** Returns the problem of a request that is not permitted, 401 or 403. */
function problemOf(
  { guard, authenticated }: MvcEvent,
  rule: AccessRule,
  identity: Identity,
  decision: PolicyDecision,
): Problem | undefined {
  if (decision === true) return undefined;
  return refusalOf({ guard, rule, identity, isVerified: authenticated !== undefined }, decision);
}
