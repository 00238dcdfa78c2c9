import { isObject, steadyNow, errorMessage } from '../../../../framework';
import { withAdapterName } from '../../http-adapter/auth-configuration-error';
import { AuthenticationUnavailable } from '../../http/authentication-unavailable';
import type { Claims } from '../claims';
import { fetchJson } from '../fetch-json';
import { CircuitBreaker } from './circuit-breaker';

export interface IntrospectionClientOptions {
  readonly adapter: string;
  readonly endpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In milliseconds. */
  readonly timeout: number;
  readonly warn: (message: string) => void;
  /** Milliseconds; defaults to `steadyNow`. */
  readonly clock?: () => number;
}

const MAX_BYTES = 65_536;

/** Concurrent requests to the endpoint; requests with further tokens receive a 503. */
export const MAX_PENDING = 100;

/** Errors of responses with 400 that are about the token (RFC 6749, 5.2; RFC 6750, 3.1), not about the client. */
const TOKEN_ERRORS: readonly unknown[] = ['invalid_request', 'invalid_token'];

/** Responses about the size or the content of what was sent, which is the token (RFC 9110, 15.5; RFC 6585, 5). */
const TOKEN_STATUSES: readonly number[] = [413, 414, 422, 431];

/**
 * Responses about the service, not about a token: the endpoint is another one, or it is not known there. Once the endpoint
 * has decided about a token, 403 and 404 may come from a firewall that reads what a guest has sent.
 */
const SERVICE_STATUSES: readonly number[] = [401, 403, 404];

/** In milliseconds: how often responses that clients can provoke are reported. */
const REPORT_INTERVAL = 60_000;

/** Asks the endpoint of an authorization server about tokens (RFC 7662). */
export class IntrospectionClient {
  readonly #options: IntrospectionClientOptions;
  readonly #authorization: string;
  readonly #circuit: CircuitBreaker;
  readonly #clock: () => number;
  readonly #closing = new AbortController();
  #pending = 0;
  /** As it was reported: `undecided` about a token. */
  #state: 'available' | 'undecided' | 'down' = 'available';
  #nextReport = -Infinity;
  #hasDecided = false;

  constructor(options: IntrospectionClientOptions) {
    this.#options = options;
    const { clientId, clientSecret, clock = steadyNow } = options;
    // Both are encoded first (RFC 6749, 2.3.1).
    const pair = [clientId, clientSecret].map(formEncoded).join(':');
    this.#authorization = `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`;
    this.#clock = clock;
    this.#circuit = new CircuitBreaker(clock);
  }

  /**
   * Resolves to the response about a valid token; undefined for any other.
   * @throws AuthenticationUnavailable without an answer
   */
  async introspect(token: string): Promise<Claims | undefined> {
    if (this.#pending >= MAX_PENDING) throw new AuthenticationUnavailable('Too many tokens are pending.', 1);
    const wait = this.#circuit.waitingTime();
    if (wait > 0) throw new AuthenticationUnavailable('The introspection endpoint is down.', wait / 1_000);
    this.#pending++;
    try {
      const claims = await this.#ask(token);
      this.#circuit.succeeded();
      this.#report('available');
      return claims;
    } catch (error) {
      const reason = errorMessage(error);
      const isUndecided = error instanceof AuthenticationUnavailable;
      this.#report(isUndecided ? 'undecided' : 'down', reason);
      if (isUndecided) {
        this.#circuit.succeeded();
        throw error;
      }
      this.#circuit.failed();
      // Without the cause, whose text it has: the log would repeat it.
      throw new AuthenticationUnavailable(`The introspection endpoint cannot decide: ${reason}.`, 1);
    } finally {
      this.#pending--;
    }
  }

  close(): void {
    this.#closing.abort();
  }

  /** @throws AuthenticationUnavailable if the endpoint works, but cannot say this time */
  async #ask(token: string): Promise<Claims | undefined> {
    const { endpoint, timeout } = this.#options;
    const { status, json, retryAfter } = await fetchJson(
      endpoint,
      {
        method: 'POST',
        headers: {
          Authorization: this.#authorization,
          'Content-Type': 'application/x-www-form-urlencoded',
          Accept: 'application/json',
        },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      },
      { timeout, maxBytes: MAX_BYTES, signal: this.#closing.signal },
    );
    if (status === 401 || (status === 403 && !this.#hasDecided))
      throw new Error(`it responded ${status}: check client_id and client_secret`);
    // Clients could provoke all others from 400 to 499: they do not count as failures of the endpoint.
    if (TOKEN_STATUSES.includes(status)) return undefined;
    if (status === 400 && isObject(json) && TOKEN_ERRORS.includes(json.error)) return undefined;
    const isAboutService = SERVICE_STATUSES.includes(status) && !this.#hasDecided;
    if (status >= 400 && status < 500 && !isAboutService)
      throw new AuthenticationUnavailable(`it responded ${status}`, retryAfter);
    if (status !== 200) throw new Error(`it responded ${status}`);
    if (!isObject(json) || typeof json.active !== 'boolean')
      throw new Error('its response has no member "active"');
    this.#hasDecided = true;
    return json.active ? json : undefined;
  }

  /** Reports the beginning and the end of an outage. Of what clients can provoke, they decide how often it begins. */
  #report(state: 'available' | 'undecided' | 'down', reason = ''): void {
    if (state === this.#state || this.#closing.signal.aborted) return;
    if (state === 'undecided') {
      if (this.#state === 'down' || this.#clock() < this.#nextReport) return;
      this.#nextReport = this.#clock() + REPORT_INTERVAL;
    }
    this.#state = state;
    const { adapter, endpoint, warn } = this.#options;
    const change =
      state === 'available'
        ? 'is available again.'
        : `is not available: ${reason}. Requests with tokens that are not cached receive 503 until it is.`;
    warn(withAdapterName(adapter, `endpoint: ${endpoint} ${change}`));
  }
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
