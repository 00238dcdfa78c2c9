import {
  andThen,
  isOutcome,
  isThenable,
  lazily,
  LogLimit,
  problem,
  truncate,
  withoutStack,
  type ApplicationEvents,
  type EventManager,
  type MaybePromise,
  type MvcEvent,
  type Problem,
  type Response,
} from '../../../framework';
import { AuthenticationEvent, hasCustomAuthentication } from '../auth-events';
import { CredentialedRequest } from './credentialed-request';
import { decidedInTime } from './decided-in-time';
import type { Guard } from '../adapters/guard';
import type { SentCredential } from '../http/credential-location';
import { schemeOf } from '../http/credentials';
import { AuthenticatedIdentity, guest, isReturnedIdentity, withScopes, type Identity } from '../identity';
import type { Throttle } from '../throttling/throttle';
import { authenticationChannel, publishAuthentication } from './authentication-channel';
import type { Verdict } from './verdict';
import { verifyCredentials } from './verification';
import { toVerificationProblem } from './verification-problem';

/** Whether requests with a method are always the guest's: CORS preflights have no credentials. */
export function isAlwaysGuest(method: string): boolean {
  return method === 'OPTIONS';
}

const NO_CREDENTIALS: readonly SentCredential[] = Object.freeze([]);

/** Characters of a reason of an adapter. */
const MAX_REASON = 500;

/** Reasons for the log. */
const SEVERAL = 'The request has several credentials. Clients must send one.';
const UNREADABLE =
  'They are malformed, of a scheme that no adapter of the API accepts, or the answer to another challenge. Digest: compare realm, algorithm and qop with the challenge, and uri with the request target, which a proxy may have rewritten.';

/** Authenticates requests through the events `authentication` and `authentication.post`. */
export class Authentication {
  readonly #events: EventManager<ApplicationEvents>;
  readonly #throttle: Throttle;
  readonly #logLimit = lazily(() => new LogLimit());

  constructor(events: EventManager<ApplicationEvents>, throttle: Throttle) {
    this.#events = events;
    this.#throttle = throttle;
  }

  /**
   * Sets `event.identity`. No event is created without listeners of modules.
   */
  authenticate(event: MvcEvent): MaybePromise<Response | undefined> {
    return authenticationChannel.hasSubscribers && event.guard !== undefined
      ? publishAuthentication(event, () => this.#authenticate(event))
      : this.#authenticate(event);
  }

  #authenticate(event: MvcEvent): MaybePromise<Response | undefined> {
    event.identity = guest;
    if (isAlwaysGuest(event.request.method)) return undefined;
    if (hasCustomAuthentication(this.#events)) return this.#trigger(new AuthenticationEvent(event));
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

  #trigger(event: AuthenticationEvent): MaybePromise<Response | undefined> {
    const authenticated = this.#events.triggerUntil(
      (result) => isReturnedIdentity(result) || isOutcome(result),
      'authentication',
      event,
    );
    return andThen(authenticated, ({ last }) => {
      if (isOutcome(last)) return responseOf(last);
      if (isReturnedIdentity(last)) this.#setIdentity(event, withScopes(last));
      const post = this.#events.triggerUntil(
        (result) => {
          // Each listener sees the identity that the previous one returned.
          if (isReturnedIdentity(result)) this.#setIdentity(event, withScopes(result));
          return isOutcome(result);
        },
        'authentication.post',
        event,
      );
      return andThen(post, (results) => (isOutcome(results.last) ? responseOf(results.last) : undefined));
    });
  }

  #setIdentity(event: AuthenticationEvent, identity: Identity): void {
    event.identity = identity;
    event.mvcEvent.identity = identity;
  }

  /**
   * Verifies the credentials of a request. Returns undefined without credentials, and without a guard, which ignores
   * them. Credentials in several places are refused, even if all are correct: no adapter decides for another.
   * @throws Problem 401 with every challenge, 429 after too many failures, 429 or 503 with too many pending verifications
   */
  identify(event: MvcEvent): MaybePromise<Identity | undefined> {
    const { guard, request } = event;
    if (guard === undefined) return undefined;
    const authorization = request.headerLines('authorization');
    const others = guard.locations?.credentialsIn(request) ?? NO_CREDENTIALS;
    const count = authorization.length + others.length;
    if (count === 0) return undefined;
    if (count > 1) {
      this.#log(event, namesIn(guard), SEVERAL);
      throw guard.unauthorized();
    }
    const credentialed = new CredentialedRequest(event, authorization, others[0]);
    try {
      const verdict = verifyCredentials(
        guard,
        schemeOf(authorization[0] ?? ''),
        credentialed,
        this.#throttle,
      );
      if (isThenable(verdict))
        return decidedInTime(verdict).then((settled) => this.#conclude(event, guard, settled), fail);
      return this.#toIdentity(event, guard, verdict);
    } catch (error) {
      return fail(error);
    }
  }

  #conclude(event: MvcEvent, guard: Guard, verdict: Verdict): Identity {
    try {
      return this.#toIdentity(event, guard, verdict);
    } catch (error) {
      return fail(error);
    }
  }

  #toIdentity(event: MvcEvent, guard: Guard, verdict: Verdict): Identity {
    switch (verdict.outcome) {
      case 'throttled':
        throw tooManyFailures(verdict.seconds);
      case 'refused':
        if (verdict.refusals.some(({ stale }) => stale)) event.staleCredentials = true;
        if (verdict.isUnreadable === true) this.#log(event, namesIn(guard), UNREADABLE);
        else event.verifiedCredentials = true;
        for (const { adapter, reason } of verdict.refusals)
          // An adapter in JavaScript may return anything.
          if (typeof reason === 'string') this.#log(event, adapter.name, truncate(reason, MAX_REASON));
        throw guard.unauthorized(verdict.refusals);
      case 'authenticated':
        event.authenticated = verdict;
        return new AuthenticatedIdentity(verdict.username, verdict.groups, verdict.scopes);
    }
  }

  /** Logs why credentials were refused, which the response does not reveal. */
  #log({ log }: MvcEvent, adapter: string, reason: string): void {
    if (this.#logLimit().allows(adapter, reason))
      log.info({ module: 'mvc-auth', adapter }, `Credentials were refused: ${reason}`);
  }
}

/** @throws the error that a listener has returned: spans and subscribers record those that are thrown */
function responseOf(outcome: Response | Error): Response {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

function namesIn({ adapters }: Guard): string {
  return adapters.map(({ name }) => name).join(', ');
}

function fail(error: unknown): never {
  throw toVerificationProblem(error);
}

function tooManyFailures(seconds: number): Problem {
  const fields = [
    ['Retry-After', String(seconds)],
    ['Cache-Control', 'no-store'],
  ] as const;
  return withoutStack(() => problem('too_many_failures', { seconds }, { fields }));
}
