import type { AuthenticationResult } from '../http/authentication';
import { quoted, toFieldText } from '../http/field-text';

const CHALLENGE = Object.freeze({ error: 'invalid_token' });

/** The token is malformed, forged, of another issuer, or for another audience (RFC 6750, 3.1). */
export const INVALID_TOKEN: AuthenticationResult = Object.freeze({
  outcome: 'refused',
  stale: false,
  challenge: CHALLENGE,
});

/** As {@link INVALID_TOKEN}, with the reason for the log. */
export function invalidToken(reason: string): AuthenticationResult {
  return { outcome: 'refused', stale: false, challenge: CHALLENGE, reason };
}

/** The token was genuine: the client gets another one. */
export const EXPIRED_TOKEN: AuthenticationResult = Object.freeze({
  outcome: 'refused',
  stale: true,
  challenge: Object.freeze({ error: 'invalid_token', error_description: 'The token has expired.' }),
});

/** Reasons for the log. */
export const INVALID_DATES = 'The token has a date that no date can have.';
export const BOUND_TO_KEY =
  'The token is bound to a key of its client ("cnf"): its possession proves nothing.';

/** The challenge without credentials, which has no error (RFC 6750, 3). */
export function bearerChallenge(realm: string): string {
  return `Bearer realm=${quoted(toFieldText(realm))}`;
}

export function isBearer(scheme: string): boolean {
  return scheme === 'Bearer' || scheme.toLowerCase() === 'bearer';
}
