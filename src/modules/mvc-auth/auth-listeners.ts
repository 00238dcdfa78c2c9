import {
  andThen,
  Listeners,
  priorities,
  repeatable,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Response,
} from '../../framework';
import { hasOwnAuthentication, hasOwnAuthorization, type AuthorizationEvent } from './auth-events';
import { Authentication } from './authentication';
import { Authorization } from './authorization';
import { decide } from './decision';
import type { Guard } from './guard';
import type { Identity } from './identity';
import type { OperationPolicy } from './policy';
import type { AccessRule } from './settings';
import type { Throttle } from './throttling/throttle';
import type { Authenticated } from './verification';

declare module '../../framework' {
  interface Endpoint {
    /** Who may call it; anyone, where it is not said. */
    readonly access?: AccessRule;
    /** What decides where the rule names a policy. */
    readonly policy?: OperationPolicy | undefined;
  }
  interface MvcEvent {
    /** Whose credentials are taken; set before authentication by who knows what is asked for. */
    guard?: Guard | undefined;
    /** Who may have what is asked for, where that is not a matter of the endpoint. */
    access?: AccessRule;
    /** Set by authentication. */
    identity?: Identity;
    /** What the adapter said of the credentials. */
    authenticated?: Authenticated;
  }
}

/** The built-in listener, among those that modules attach to the same event. */
const BUILT_IN = 1;

/** What proves the server to the client may depend on the body: so it is added when nothing changes it any more. */
const LAST = priorities.response.send + 1;

/** Finds out who asks, before anything of the request is read, and whether they may. */
export class AuthListeners extends Listeners<ApplicationEvents> {
  readonly #throttle: Throttle;

  constructor(throttle: Throttle) {
    super();
    this.#throttle = throttle;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    const authentication = new Authentication(events, this.#throttle);
    const authorization = new Authorization(events);
    return [
      events.attach('authentication', ({ mvcEvent }) => authentication.identify(mvcEvent), BUILT_IN),
      events.attach('authorization', (event) => decideFor(event), BUILT_IN),
      events.attach(
        'route',
        repeatable(
          (event) => authentication.authenticate(event),
          () => !hasOwnAuthentication(events),
        ),
        priorities.route.authentication,
      ),
      events.attach(
        'route',
        repeatable(
          (event) => authorization.authorize(event),
          () => !hasOwnAuthorization(events),
        ),
        priorities.route.authorization,
      ),
      events.attach(
        'response',
        repeatable((event) => addFields(event)),
        LAST,
      ),
    ];
  }
}

function decideFor(event: AuthorizationEvent): MaybePromise<boolean> {
  const { mvcEvent, rule, identity } = event;
  return andThen(decide(mvcEvent, rule, identity), (decision) => {
    if (typeof decision === 'boolean') return decision;
    event.reason = decision;
    return false;
  });
}

/** Not to a 401: it is the same whatever its cause. */
function addFields({ authenticated, response, request }: MvcEvent): void {
  if (authenticated === undefined || response.status === 401) return;
  const { fields, fieldsOver } = authenticated;
  for (const [name, value] of fields) response.fields.set(name, value);
  if (fieldsOver === undefined) return;
  for (const [name, value] of fieldsOver(contentOf(response, request.method)))
    response.fields.set(name, value);
}

/** The octets that the answer will carry; undefined for a stream. */
function contentOf({ status, body }: Response, method: string): Uint8Array | undefined {
  if (body === null || method === 'HEAD' || status === 204 || status === 304) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : undefined;
}
