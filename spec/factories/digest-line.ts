import { createHash } from 'node:crypto';

/** A line of a digest file as Apache's tool writes it: MD5. */
export function digestLine(user: string, realm: string, password: string): string {
  return `${user}:${realm}:${createHash('md5').update(`${user}:${realm}:${password}`).digest('hex')}`;
}
