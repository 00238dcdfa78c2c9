import {
  andThen,
  Listeners,
  priorities,
  Problem,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Response,
} from '../../framework';
import type { AuthorizationEvent } from './auth-events';
import { Authentication } from './authentication/authentication';
import { Authorization } from './authorization/authorization';
import { decide } from './authorization/decision';
import type { AuthenticationAdapter } from './adapters/adapter';
import type { Guard } from './adapters/guard';
import type { Identity } from './identity';
import type { OperationPolicy } from './authorization/policy';
import type { AccessRule } from './authorization/access-rule';
import type { Throttle } from './throttling/throttle';
import type { Authenticated } from './authentication/verdict';

declare module '../../framework' {
  interface Endpoint {
    /** Defaults to `guest`. */
    readonly access?: AccessRule;
    /** The policy that the rule names. */
    readonly policy?: OperationPolicy | undefined;
  }
  interface MvcEvent {
    /** The adapters that authenticate the request; set before authentication. */
    guard?: Guard | undefined;
    /** The rule, where no endpoint has one, e.g. for documentation. */
    access?: AccessRule;
    /** Set by authentication. */
    identity?: Identity;
    /** The result of the adapter. */
    authenticated?: Authenticated;
    /** Whether the refused credentials were genuine, and only too old. */
    staleCredentials?: boolean;
    /** Whether the refused credentials were verified: sign-in throttling has counted them. */
    verifiedCredentials?: boolean;
  }
}

/** The priority of the built-in listeners. */
const BUILT_IN = 1;

/** After routing, before any response, including CORS preflights. */
const REACHABLE = priorities.route.scope - 1;

/** Fields that authenticate the server may depend on the final body. */
const LAST = priorities.response.send + 1;

/** Authenticates requests before their body is read, and authorizes them. */
export class AuthListeners extends Listeners<ApplicationEvents> {
  readonly #throttle: Throttle;
  readonly #hasLocations: boolean;

  /** @param adapters all open adapters */
  constructor(throttle: Throttle, adapters: readonly AuthenticationAdapter[] = []) {
    super();
    this.#throttle = throttle;
    this.#hasLocations = adapters.some(({ credentials = [] }) => credentials.length > 0);
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    const authentication = new Authentication(events, this.#throttle);
    const authorization = new Authorization(events);
    return [
      events.attach('authentication', ({ mvcEvent }) => authentication.identify(mvcEvent), BUILT_IN),
      events.attach('authorization', (event) => decideFor(event), BUILT_IN),
      events.attach('route', (event) => assertReachable(event), REACHABLE),
      events.attach('route', (event) => authentication.authenticate(event), priorities.route.authentication),
      events.attach('route', (event) => authorization.authorize(event), priorities.route.authorization),
      events.attach('response', (event) => addFields(event), LAST),
      ...(this.#hasLocations
        ? [events.attach('response', (event) => addCacheFields(event), priorities.response.fields)]
        : []),
    ];
  }
}

/**
 * Removes the credentials from the query: it is validated, and links repeat it.
 * @throws Problem if no adapter of the guard accepts the origin of the request
 */
function assertReachable(event: MvcEvent): void {
  if (event.guard === undefined) return;
  const { locations } = event.guard;
  if (locations !== undefined) event.request.removeFromQuery(locations.parameters);
  const guard = event.guard.reachableFrom(event.request);
  if (guard instanceof Problem) throw guard;
  event.guard = guard;
}

/**
 * Shared caches do not store responses to requests with `Authorization` (RFC 9111, 3.5): responses to other credentials
 * have to tell them.
 */
function addCacheFields({ guard, request, response }: MvcEvent): void {
  const { locations } = guard ?? {};
  if (locations === undefined) return;
  const { fields } = response;
  for (const name of locations.headers) fields.addToList('Vary', name);
  if (!fields.has('Cache-Control') && locations.hasCredentials(request))
    fields.append('Cache-Control', 'private');
}

function decideFor(event: AuthorizationEvent): MaybePromise<boolean> {
  const { mvcEvent, rule, identity } = event;
  return andThen(decide(mvcEvent, rule, identity), (decision) => {
    if (typeof decision === 'boolean') return decision;
    event.reason = decision;
    return false;
  });
}

/**
 * Adds what authenticates the server, except to a 401, which is the same whatever its cause. One of an author must have
 * challenges, too (RFC 9110, 15.5.2): without them, clients do not sign in.
 */
function addFields({ authenticated, guard, response, request }: MvcEvent): void {
  if (response.status === 401) {
    if (guard === undefined || response.fields.has('WWW-Authenticate')) return;
    for (const [name, value] of guard.challenges()) response.fields.append(name, value);
    return;
  }
  if (authenticated === undefined) return;
  const { fields, fieldsOver } = authenticated;
  for (const [name, value] of fields) response.fields.set(name, value);
  if (fieldsOver === undefined) return;
  for (const [name, value] of fieldsOver(contentOf(response, request.method)))
    response.fields.set(name, value);
}

/** The octets of the response body; undefined for a stream. */
function contentOf({ status, body }: Response, method: string): Uint8Array | undefined {
  if (body === null || method === 'HEAD' || [204, 205, 304].includes(status)) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.isBuffer(body) ? body : undefined;
}
