/**
 * An adapter cannot decide now, e.g. because the service that knows its users is down: the request receives a 503 with
 * `Retry-After`. The adapter reports the outage itself, once.
 */
export class AuthenticationUnavailable extends Error {
  override readonly name = 'AuthenticationUnavailable';
  /** Whole seconds, at least 1. */
  readonly retryAfter: number;

  constructor(message: string, retryAfter = 1, options?: ErrorOptions) {
    super(message, options);
    this.retryAfter = Math.max(1, Math.ceil(retryAfter));
  }
}
