import {
  andThen,
  isThenable,
  problem,
  Response,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
} from '../../framework';
// The limit of a body, which stands with an endpoint's representations.
import type {} from '../content-negotiation';
import { AuthenticationEvent, hasOwnAuthentication } from './auth-events';
import type { Guard } from './guard';
import { schemeOf } from './http/credentials';
import { AuthenticatedIdentity, guest, isIdentity, type Identity } from './identity';
import { HashingOverloadError } from './password-files/hashing-queue';
import type { Throttle } from './throttling/throttle';
import { verifyCredentials, type Verdict } from './verification';

/** Bytes of a body that credentials cover, where its endpoint says nothing. */
const BODY_LIMIT = 1_048_576;

/** Finds out who makes a request, through the events `authentication` and `authentication.post`. */
export class Authentication {
  readonly #events: EventManager<ApplicationEvents>;
  readonly #throttle: Throttle;

  constructor(events: EventManager<ApplicationEvents>, throttle: Throttle) {
    this.#events = events;
    this.#throttle = throttle;
  }

  /**
   * Sets `event.identity`. Without listeners but the built-in one, no event is made. OPTIONS is anyone's, as
   * preflights come without credentials.
   */
  authenticate(event: MvcEvent): MaybePromise<Response | undefined> {
    event.identity = guest;
    if (event.request.method === 'OPTIONS') return undefined;
    if (hasOwnAuthentication(this.#events)) return this.#ask(new AuthenticationEvent(event));
    const identity = this.identify(event);
    if (isThenable(identity)) {
      return identity.then((found) => {
        event.identity = found ?? guest;
        return undefined;
      });
    }
    event.identity = identity ?? guest;
    return undefined;
  }

  #ask(event: AuthenticationEvent): MaybePromise<Response | undefined> {
    const asked = this.#events.triggerUntil(
      (result) => isIdentity(result) || result instanceof Response,
      'authentication',
      event,
    );
    return andThen(asked, ({ last }) => {
      if (last instanceof Response) return last;
      if (isIdentity(last)) this.#establish(event, last);
      const post = this.#events.triggerUntil(
        (result) => {
          // Each listener sees the identity that the one before has put in place.
          if (isIdentity(result)) this.#establish(event, result);
          return result instanceof Response;
        },
        'authentication.post',
        event,
      );
      return andThen(post, (results) => (results.last instanceof Response ? results.last : undefined));
    });
  }

  #establish(event: AuthenticationEvent, identity: Identity): void {
    event.identity = identity;
    event.mvcEvent.identity = identity;
  }

  /**
   * The user whose credentials an adapter verifies; undefined without credentials, and without a guard, where
   * they mean nothing.
   * @throws Problem 401 with every challenge, 429 after too many failures
   */
  identify(event: MvcEvent): MaybePromise<Identity | undefined> {
    const { guard, request } = event;
    if (guard === undefined) return undefined;
    const authorization = request.headerLines('authorization');
    const first = authorization[0];
    if (first === undefined) return undefined;
    if (authorization.length > 1) throw guard.unauthorized();
    const { method, target, address } = request;
    const asked = { method, target, address, authorization, body: () => readBody(event) };
    try {
      const verdict = verifyCredentials(guard, schemeOf(first), asked, this.#throttle);
      return isThenable(verdict)
        ? verdict.then((settled) => accept(event, guard, settled)).then(undefined, busy)
        : accept(event, guard, verdict);
    } catch (error) {
      return busy(error);
    }
  }
}

function accept(event: MvcEvent, guard: Guard, verdict: Verdict): Identity {
  switch (verdict.outcome) {
    case 'throttled':
      throw problem(
        'too_many_failures',
        { seconds: verdict.seconds },
        {
          fields: [
            ['Retry-After', String(verdict.seconds)],
            ['Cache-Control', 'no-store'],
          ],
        },
      );
    case 'refused':
      throw guard.unauthorized(verdict.stale);
    case 'authenticated':
      event.authenticated = verdict;
      return new AuthenticatedIdentity(verdict.username, verdict.groups);
  }
}

function readBody({ request, methods }: MvcEvent): Promise<Uint8Array> {
  if (!request.hasBody) return Promise.resolve(Buffer.alloc(0));
  return request.read(methods?.endpoints.get(request.method)?.negotiation?.bodyLimit ?? BODY_LIMIT);
}

/** Too many passwords wait to be verified: the client may try again soon. */
function busy(error: unknown): never {
  if (!(error instanceof HashingOverloadError)) throw error;
  throw problem('busy', {}, { fields: [['Retry-After', String(error.retryAfter)]], cause: error });
}
