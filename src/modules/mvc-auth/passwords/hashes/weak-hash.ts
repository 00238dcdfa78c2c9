import { desCrypt } from './des-crypt';
import type { PasswordHash } from './password-hash';
import { equalInConstantTime } from '../../http/constant-time';

/** Stored passwords that offer no protection: accepted only where an operator opts in. */
export type WeakKind = 'des' | 'plain';

const DES = /^[./0-9A-Za-z]{13}$/;
/** Text that looks like a hash of another kind is never a plain-text password. */
const HASH = /^[${]|^[0-9a-f]{32,}$/i;

/** Detects the weak kind of a stored text; undefined for what looks like a hash of another kind. */
export function weakKindOf(stored: string): WeakKind | undefined {
  if (DES.test(stored)) return 'des';
  return HASH.test(stored) ? undefined : 'plain';
}

/** Parses a plain-text password or a DES hash, if its kind is accepted. */
export function readWeakHash(stored: string, kinds: readonly WeakKind[]): PasswordHash | undefined {
  const kind = weakKindOf(stored);
  if (kind === undefined || !kinds.includes(kind)) return undefined;
  return kind === 'des' ? des(stored) : plain(stored);
}

function des(stored: string): PasswordHash {
  const salt = stored.slice(0, 2);
  return {
    stored,
    cost: 5000,
    verify: (password) => Promise.resolve(equalInConstantTime(desCrypt(password, salt), stored)),
  };
}

function plain(stored: string): PasswordHash {
  return { stored, cost: 1, verify: (password) => Promise.resolve(equalInConstantTime(password, stored)) };
}
