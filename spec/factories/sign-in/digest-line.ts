import { createHash } from 'node:crypto';

/** A line of a digest file as Apache's tool writes it: MD5. */
export function digestLine(user: string, realm: string, password: string): string {
  return `${user}:${realm}:${createHash('md5').update(`${user}:${realm}:${password}`).digest('hex')}`;
}

/** The lines of a user as the platform writes them by default: MD5 and SHA-256. */
export function digestLines(user: string, realm: string, password: string): string {
  const secret = createHash('sha256').update(`${user}:${realm}:${password}`).digest('hex');
  return `${digestLine(user, realm, password)}\n${user}:${realm}:${secret}\n`;
}
