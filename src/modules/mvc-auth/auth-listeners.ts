import {
  andThen,
  Listeners,
  priorities,
  problem,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
} from '../../framework';
import type { AuthenticationResult } from './adapter';
import { needsUser, permits } from './access-rules';
import type { Guard } from './guard';
import { AuthenticatedIdentity, guest, type Identity } from './identity';
import { HashingOverloadError } from './password-files/hashing-queue';
import type { AccessRule } from './settings';

declare module '../../framework' {
  interface Endpoint {
    /** Who may call it; anyone, where it is not said. */
    readonly access?: AccessRule;
  }
  interface MvcEvent {
    /** Whose credentials are taken; set before authentication by who knows what is asked for. */
    guard?: Guard | undefined;
    /** Set by authentication. */
    identity?: Identity;
    /** Fields that prove the server to the client. */
    authenticationFields?: readonly (readonly [name: string, value: string])[];
  }
}

/** Finds out who asks, before anything of the request is read, and whether they may. */
export class AuthListeners extends Listeners<ApplicationEvents> {
  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => authenticate(event), priorities.route.authentication),
      events.attach('route', (event) => authorize(event), priorities.route.authorization),
      events.attach('response', (event) => addFields(event), priorities.response.fields),
    ];
  }
}

/** Without a guard, credentials mean nothing; OPTIONS is answered to anyone, as preflights come without any. */
function authenticate(event: MvcEvent): MaybePromise<void> {
  const { guard, request } = event;
  event.identity = guest;
  if (guard === undefined || request.method === 'OPTIONS') return undefined;
  const authorization = request.headerLines('authorization');
  const [first] = authorization;
  if (first === undefined) return undefined;
  const scheme = /^[^ \t]*/.exec(first)?.[0] ?? '';
  const adapter = guard.adapterFor(scheme);
  if (adapter === undefined || authorization.length > 1) throw guard.unauthorized();
  const { method, target, address } = request;
  return attempt(() =>
    andThen(adapter.authenticate({ method, target, address, authorization }), (result) =>
      accept(event, guard, result),
    ),
  );
}

function accept(event: MvcEvent, guard: Guard, result: AuthenticationResult): void {
  if (result.outcome === 'refused') throw guard.unauthorized(result.stale);
  event.identity = new AuthenticatedIdentity(result.username);
  event.authenticationFields = result.fields;
}

/** Too many passwords wait to be verified: the client may try again soon. */
function attempt(verify: () => MaybePromise<void>): MaybePromise<void> {
  const busy = (error: unknown): never => {
    if (error instanceof HashingOverloadError)
      throw problem('busy', {}, { fields: [['Retry-After', '1']], cause: error });
    throw error;
  };
  try {
    const done = verify();
    return done === undefined ? undefined : done.then(undefined, busy);
  } catch (error) {
    return busy(error);
  }
}

/** Guests are asked to sign in where there is a way to; users who may not are told so. */
function authorize(event: MvcEvent): void {
  const rule = event.endpoint?.access ?? 'guest';
  const identity = event.identity ?? guest;
  if (permits(rule, identity)) return;
  if (!identity.isGuest) throw problem('forbidden', {});
  if (event.guard === undefined && needsUser(rule)) throw problem('forbidden_to_guests', {});
  throw event.guard?.unauthorized() ?? problem('forbidden', {});
}

function addFields(event: MvcEvent): void {
  for (const [name, value] of event.authenticationFields ?? []) event.response.fields.set(name, value);
}
