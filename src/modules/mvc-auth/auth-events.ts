import {
  Event,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Request,
} from '../../framework';
import { guest, type Identity } from './identity';
import type { AccessRule } from './settings';

declare module '../../framework' {
  interface ApplicationEvents {
    authentication: AuthenticationEvent;
    'authentication.post': AuthenticationEvent;
    authorization: AuthorizationEvent;
    'authorization.post': AuthorizationEvent;
  }
}

/**
 * Who makes a request? A listener of `authentication` that knows returns an Identity, and the first one counts;
 * the adapters are asked at priority 1. A listener of `authentication.post` sees who was found, and may return
 * another in their place. Both may throw a Problem, or return a Response.
 */
export class AuthenticationEvent extends Event {
  readonly mvcEvent: MvcEvent;
  /** Who was found, at `authentication.post`. */
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
 * May they? A listener of `authorization` that decides returns true or false, and the first one counts; the rule
 * is asked at priority 1. A listener of `authorization.post` sees the decision. Both may throw a Problem, or
 * return a Response.
 */
export class AuthorizationEvent extends Event {
  readonly mvcEvent: MvcEvent;
  readonly identity: Identity;
  /** What is configured or declared for the operation. */
  readonly rule: AccessRule;
  /** The decision, at `authorization.post`. */
  permitted = false;
  /** What the policy said why not; undefined where none was asked, or said nothing. */
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

/** Whether a module finds out by itself who makes a request, so that there are users without any adapter. */
export function hasOwnAuthentication(events: EventManager<ApplicationEvents>): boolean {
  // One listener is built in: it asks the adapters.
  return events.count('authentication') > 1 || events.count('authentication.post') > 0;
}

/** Whether a module has a say in who may have what. */
export function hasOwnAuthorization(events: EventManager<ApplicationEvents>): boolean {
  // One listener is built in: it holds the identity to the rule.
  return events.count('authorization') > 1 || events.count('authorization.post') > 0;
}
