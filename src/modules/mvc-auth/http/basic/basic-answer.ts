import { parseCredentials } from '../credentials';

/** The `Authorization` field with which a client answers a challenge. */
export interface BasicAnswer {
  readonly scheme: 'Basic';
  readonly field: string;
  readonly algorithm?: undefined;
}

/** Answers a challenge of Basic as a client does (RFC 7617, 2); undefined for another scheme's. */
export function basicAnswer(
  challenge: string,
  user: { readonly username: string; readonly password: string },
): BasicAnswer | undefined {
  if (parseCredentials(challenge)?.scheme !== 'basic') return undefined;
  const token = Buffer.from(`${user.username}:${user.password}`, 'utf8').toString('base64');
  return { scheme: 'Basic', field: `Basic ${token}` };
}
