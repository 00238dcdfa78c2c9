import type { Credentials } from '../credentials';
import { decodeUtf8 } from '../field-text';

/** User and password as Basic carries them. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

const CONTROL = /[\p{Cc}]/u;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Padded, and without bits that are not part of an octet (RFC 4648, 3.5): one text has one form. */
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/**
 * Reads the credentials of Basic (RFC 7617, 2): UTF-8, split at the first colon. Nothing comes back for base64
 * that is not canonical, for control characters and where there is no colon. An empty password is a password.
 *
 * @example
 * readBasicCredentials(parseCredentials('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')); // Aladdin, open sesame
 */
export function readBasicCredentials(credentials: Credentials): BasicCredentials | undefined {
  const { token68 } = credentials;
  if (token68 === undefined || !CANONICAL.test(token68)) return undefined;
  const text = readText(token68);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Printable ASCII is UTF-8 without control characters: the usual case needs no decoder, nor a buffer to decode. */
function readText(base64: string): string | undefined {
  const octets = atob(base64);
  if (PRINTABLE.test(octets)) return octets;
  const text = decodeUtf8(Buffer.from(base64, 'base64'));
  return text === undefined || CONTROL.test(text) ? undefined : text;
}
