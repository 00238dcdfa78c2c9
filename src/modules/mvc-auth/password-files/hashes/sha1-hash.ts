import { hash } from 'node:crypto';
import type { PasswordHash } from './password-hash';
import { sameText } from './same-text';

const SHA1 = /^\{SHA\}[A-Za-z0-9+/]{27}=$/;

/** Reads Apache's `{SHA}` hashes, unsalted SHA-1 in base64, or nothing. */
export function readSha1(stored: string): PasswordHash | undefined {
  if (!SHA1.test(stored)) return undefined;
  return {
    stored,
    cost: 2,
    verify: (password) => Promise.resolve(sameText(`{SHA}${hash('sha1', password, 'base64')}`, stored)),
  };
}
