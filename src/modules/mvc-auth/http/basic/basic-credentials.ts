import type { Credentials } from '../credentials';
import { decodeUtf8 } from '../field-text';

/** User and password as Basic carries them. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

const CONTROL = /[\p{Cc}]/u;

/**
 * Reads the credentials of Basic (RFC 7617, 2): UTF-8, split at the first colon. Nothing comes back for base64
 * that is not canonical, for control characters and where there is no colon. An empty password is a password.
 *
 * @example
 * readBasicCredentials(parseCredentials('Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')); // Aladdin, open sesame
 */
export function readBasicCredentials(credentials: Credentials): BasicCredentials | undefined {
  if (credentials.token68 === undefined) return undefined;
  const bytes = Buffer.from(credentials.token68, 'base64');
  if (bytes.toString('base64') !== credentials.token68) return undefined;
  const text = decodeUtf8(bytes);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1 || CONTROL.test(text)) return undefined;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
