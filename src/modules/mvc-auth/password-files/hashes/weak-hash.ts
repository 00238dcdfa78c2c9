import { desCrypt } from './des-crypt';
import type { PasswordHash } from './password-hash';
import { sameText } from './same-text';

/** What a password file may hold that protects nothing: taken only where an operator says so. */
export type WeakKind = 'des' | 'plain';

const DES = /^[./0-9A-Za-z]{13}$/;
/** What looks like a hash of some kind is never itself a password. */
const HASH = /^[${]|^[0-9a-f]{32,}$/i;

/** Reads a password in plain text or a hash of DES, where it is wanted; or nothing. */
export function readWeakHash(stored: string, kinds: readonly WeakKind[]): PasswordHash | undefined {
  if (DES.test(stored)) return kinds.includes('des') ? des(stored) : undefined;
  return kinds.includes('plain') && !HASH.test(stored) ? plain(stored) : undefined;
}

function des(stored: string): PasswordHash {
  const salt = stored.slice(0, 2);
  return {
    stored,
    cost: 5000,
    verify: (password) => Promise.resolve(sameText(desCrypt(password, salt), stored)),
  };
}

function plain(stored: string): PasswordHash {
  return { stored, cost: 1, verify: (password) => Promise.resolve(sameText(password, stored)) };
}
