import type * as OtpAuth from 'otpauth';
import type * as Uqr from 'uqr';
import { lazily } from '../../../../framework';

const load = require;
const otpauth = lazily(() => load('otpauth') as typeof OtpAuth);

/** What every authenticator app supports (RFC 6238, 1.2 and 5.2). */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps that the clock of the device may be behind or ahead (RFC 6238, 5.2). */
const WINDOW = 1;
/** Octets: the recommended length (RFC 4226, 4). */
const SECRET_SIZE = 20;

/** Milliseconds for which a one-time password is accepted, from its first moment to its last. */
export const ACCEPTED_MS = (2 * WINDOW + 1) * SETTINGS.period * 1_000;

/** Creates a secret in Base32 (RFC 4648, 6). */
export function newSecret(): string {
  return new (otpauth().Secret)({ size: SECRET_SIZE }).base32;
}

/** Whether a text is a secret that {@link newSecret} may have created. */
export function isSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** Whether a text has the digits of a one-time password, with any spaces. */
export function isOneTimePassword(text: string): boolean {
  return /^\d{6}$/.test(text.replaceAll(/\s/g, ''));
}

/**
 * Verifies a one-time password in constant time.
 * @param time in milliseconds since the epoch
 * @returns the time step that it belongs to; undefined for a wrong one
 */
export function matchingStep(secret: string, password: string, time: number): number | undefined {
  if (!isOneTimePassword(password)) return undefined;
  const digits = password.replaceAll(/\s/g, '');
  const { Secret, TOTP } = otpauth();
  const totp = new TOTP({ ...SETTINGS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: digits, timestamp: time, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: time }) + delta;
}

/**
 * Returns the URI that authenticator apps read. They take what precedes the first colon of its label for the issuer.
 * @param service that requires the password, e.g. a host name with a port
 */
export function enrolmentUri(secret: string, name: string, service: string): string {
  const { Secret, TOTP } = otpauth();
  return new TOTP({
    ...SETTINGS,
    secret: Secret.fromBase32(secret),
    issuer: service.replaceAll(':', ' '),
    label: name,
  }).toString();
}

/** Returns a text as a QR code in SVG. */
export function qrCode(text: string): string {
  return (load('uqr') as typeof Uqr).renderSVG(text, { ecc: 'M', border: 4 });
}
