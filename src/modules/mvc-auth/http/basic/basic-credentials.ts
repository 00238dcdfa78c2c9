import { parseCredentials, type Credentials } from '../credentials';
import { decodeUtf8 } from '../field-text';

/** The user name and password of Basic credentials. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** The `Authorization` field with which a client answers a challenge. */
export interface BasicAnswer {
  readonly scheme: 'Basic';
  readonly field: string;
  readonly algorithm?: undefined;
}

const CONTROL = /[\p{Cc}]/u;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Padded, and without stray bits (RFC 4648, 3.5), so that each text has exactly one encoding. */
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/**
 * Decodes Basic credentials (RFC 7617, 2): UTF-8, split at the first colon. Returns undefined for base64 that is not
 * canonical, control characters and a missing colon. The password may be empty.
 *
 * @example
 * readBasicCredentials(parseCredentials('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')); // Aladdin, open sesame
 */
export function readBasicCredentials({ token68 }: Credentials): BasicCredentials | undefined {
  if (token68 === undefined || !CANONICAL.test(token68)) return undefined;
  const text = decodeText(token68);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decodeText(base64: string): string | undefined {
  const octets = atob(base64);
  // Printable ASCII needs neither a decoder nor a buffer.
  if (PRINTABLE.test(octets)) return octets;
  const text = decodeUtf8(Buffer.from(base64, 'base64'));
  return text === undefined || CONTROL.test(text) ? undefined : text;
}

/** Answers a Basic challenge as a client does (RFC 7617, 2). Returns undefined for a challenge of another scheme. */
export function basicAnswer(challenge: string, user: BasicCredentials): BasicAnswer | undefined {
  if (parseCredentials(challenge)?.scheme !== 'basic') return undefined;
  const token = Buffer.from(`${user.username}:${user.password}`, 'utf8').toString('base64');
  return { scheme: 'Basic', field: `Basic ${token}` };
}
