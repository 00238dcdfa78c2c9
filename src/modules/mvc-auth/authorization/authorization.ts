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
import { scopesIn } from './access-rule';
import { decide } from './decision';
import { withParameters } from '../http/challenge-parameters';
import { guest, type Identity } from '../identity';
import type { PolicyDecision } from './policy';
import type { AccessRule } from './access-rule';

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
    if (isThenable(decision))
      return decision.then((settled) => assertPermitted(event, rule, identity, settled));
    return assertPermitted(event, rule, identity, decision);
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
        const { mvcEvent, rule, identity, permitted, reason } = event;
        return assertPermitted(mvcEvent, rule, identity, permitted || (reason ?? false));
      });
    });
  }
}

/** @throws Problem 401 or 403 */
function assertPermitted(
  event: MvcEvent,
  rule: AccessRule,
  identity: Identity,
  decision: PolicyDecision,
): Response | undefined {
  if (decision === true) return undefined;
  throw refusal(event, rule, identity, decision);
}

function refusal(event: MvcEvent, rule: AccessRule, { isGuest }: Identity, reason: string | false): Problem {
  if (isGuest) return guestRefusal(event);
  if (reason !== false) return problem('forbidden_by_policy', { reason });
  return problem('forbidden', {}, { fields: insufficientScope(event, scopesIn(rule)) });
}

/** The challenges of Bearer adapters for a user whose token has none of the scopes of a rule (RFC 6750, 3.1). */
function insufficientScope(
  { guard, authenticated }: MvcEvent,
  scopes: readonly string[],
): readonly (readonly [string, string])[] {
  if (guard === undefined || authenticated === undefined || scopes.length === 0) return [];
  const challenges = guard.adaptersFor('bearer').flatMap((adapter) =>
    withParameters(
      adapter.challenges(false).filter((challenge) => /^bearer(?: |$)/i.test(challenge)),
      { error: 'insufficient_scope', scope: scopes.join(' ') },
    ),
  );
  return challenges.map((challenge) => ['WWW-Authenticate', challenge] as const);
}

/** The problem of an operation that guests may not use: 401 with the challenges, or 403 if nobody can sign in. */
export function guestRefusal({ guard }: MvcEvent): Problem {
  return guard?.unauthorized() ?? problem('forbidden_to_guests', {});
}
