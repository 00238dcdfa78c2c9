import { hash } from 'node:crypto';
import type { PasswordHash } from './password-hash';
import { equalInConstantTime } from '../../http/constant-time';

const SHA1 = /^\{SHA\}[A-Za-z0-9+/]{27}=$/;

/** Parses Apache's `{SHA}` hashes, unsalted SHA-1 in base64. */
export function readSha1(stored: string): PasswordHash | undefined {
  if (!SHA1.test(stored)) return undefined;
  return {
    stored,
    cost: 2,
    verify: (password) =>
      Promise.resolve(equalInConstantTime(`{SHA}${hash('sha1', password, 'base64')}`, stored)),
  };
}
