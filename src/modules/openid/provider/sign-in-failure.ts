import { isObject, objectOf, truncate } from '../../../framework';

/**
 * Why a sign-in failed:
 * - `expired`: the browser has no matching sign-in, e.g. after 10 minutes, or with a forged `state`
 * - `replayed`: the callback was used before
 * - `denied`: the user or the provider refused it
 * - `refused_by_provider`: the provider did not accept the request of this service
 * - `invalid_response`: the response of the provider is not what OpenID Connect requires
 * - `unavailable`: the provider cannot be reached
 */
export type FailureCode =
  'expired' | 'replayed' | 'denied' | 'refused_by_provider' | 'invalid_response' | 'unavailable';

/** The status of the page. */
export const FAILURE_STATUS: Readonly<Record<FailureCode, number>> = {
  expired: 400,
  replayed: 400,
  denied: 403,
  refused_by_provider: 502,
  invalid_response: 502,
  unavailable: 503,
};

/** A sign-in that failed. The message is for the log: it contains neither codes nor tokens. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly code: FailureCode;
  /** The error code of the provider, such as `access_denied` (RFC 6749, 4.1.2.1). */
  readonly providerError: string | undefined;

  constructor(code: FailureCode, message: string, options: { cause?: unknown; providerError?: string } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.providerError = options.providerError;
  }
}

/** Errors of the authorization endpoint after which nothing has to be repaired (OpenID Connect Core 1.0, 3.1.2.6). */
const DENIALS: readonly string[] = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
const OUTAGES: readonly string[] = ['temporarily_unavailable', 'server_error'];

/** Characters of a text of the provider in messages. */
const MAX_LENGTH = 200;

/** Converts an error of `openid-client`. */
export function toSignInFailure(error: unknown): SignInFailure {
  if (error instanceof SignInFailure) return error;
  const { name, code, error: providerError, error_description: description } = objectOf(error);
  const message = reasonOf(error);
  if (typeof providerError === 'string') {
    const shown = truncate(providerError, MAX_LENGTH);
    const said = typeof description === 'string' ? `${shown}: ${truncate(description, MAX_LENGTH)}` : shown;
    return new SignInFailure(codeOf(providerError), said, { cause: error, providerError: shown });
  }
  const isOutage = isNetworkError(error) || code === 'OAUTH_TIMEOUT' || name === 'TimeoutError';
  return new SignInFailure(isOutage ? 'unavailable' : 'invalid_response', message, { cause: error });
}

function codeOf(providerError: string): FailureCode {
  if (DENIALS.includes(providerError)) return 'denied';
  if (OUTAGES.includes(providerError)) return 'unavailable';
  // The token endpoint: the code was used or has expired (RFC 6749, 5.2).
  return providerError === 'invalid_grant' ? 'expired' : 'refused_by_provider';
}

/** `fetch` rejects with a TypeError whose cause is a system error. */
function isNetworkError(error: unknown): boolean {
  const { message, cause } = objectOf(error);
  return message === 'fetch failed' || message === 'terminated' || (isObject(cause) && isNetworkError(cause));
}

/** The library reports most failures in general terms; their cause says more. */
function reasonOf(error: unknown): string {
  const { message, cause } = objectOf(error);
  const own = typeof message === 'string' && message !== '' ? message : String(error);
  const { message: inner, code } = objectOf(cause);
  const more = typeof inner === 'string' && inner !== '' ? inner : code;
  return truncate(typeof more === 'string' && more !== own ? `${own} (${more})` : own, 2 * MAX_LENGTH);
}
