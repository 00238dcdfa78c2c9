import {
  Event,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Request,
} from '../../framework';
import { guest, type Identity } from './identity';
import type { AccessRule } from './authorization/access-rule';

declare module '../../framework' {
  interface ApplicationEvents {
    authentication: AuthenticationEvent;
    'authentication.post': AuthenticationEvent;
    authorization: AuthorizationEvent;
    'authorization.post': AuthorizationEvent;
  }
}

/**
 * Determines the identity of a request. The first listener of `authentication` that returns an Identity wins; the
 * adapters are asked at priority 1. Listeners of `authentication.post` see the identity and may return another one. Both
 * may return a Response or a Problem, or throw one.
 */
export class AuthenticationEvent extends Event {
  readonly mvcEvent: MvcEvent;
  /** The result, at `authentication.post`. */
  identity: Identity = guest;

  constructor(mvcEvent: MvcEvent) {
    super();
    this.mvcEvent = mvcEvent;
  }

  get request(): Request {
    return this.mvcEvent.request;
  }
}

/**
 * Decides whether an identity may call an operation. The first listener of `authorization` that returns true or false
 * wins; the rule is evaluated at priority 1. Listeners of `authorization.post` see the decision. Both may return a
 * Response or a Problem, or throw one.
 */
export class AuthorizationEvent extends Event {
  readonly mvcEvent: MvcEvent;
  readonly identity: Identity;
  /** The effective rule of the operation. */
  readonly rule: AccessRule;
  /** The decision, at `authorization.post`. */
  permitted = false;
  /** The reason of a policy, or of a listener, for refusing. */
  reason: string | undefined = undefined;

  constructor(mvcEvent: MvcEvent, identity: Identity, rule: AccessRule) {
    super();
    this.mvcEvent = mvcEvent;
    this.identity = identity;
    this.rule = rule;
  }

  get request(): Request {
    return this.mvcEvent.request;
  }
}

/** Whether a module listens to authentication, so that there may be users without an adapter. */
export function hasCustomAuthentication(events: EventManager<ApplicationEvents>): boolean {
  // One listener is built in.
  return events.count('authentication') > 1 || events.count('authentication.post') > 0;
}

/** Whether a module listens to authorization. */
export function hasCustomAuthorization(events: EventManager<ApplicationEvents>): boolean {
  // One listener is built in.
  return events.count('authorization') > 1 || events.count('authorization.post') > 0;
}
