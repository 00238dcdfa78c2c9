import type * as Bcrypt from '@node-rs/bcrypt';
import { lazily } from '../../../../framework';
import type { PasswordHash } from './password-hash';

// Native code, which only installations with bcrypt hashes need.
const load = require;
const bcrypt = lazily(() => load('@node-rs/bcrypt') as typeof Bcrypt);

/** bcrypt ignores further octets: longer passwords are refused. */
export const MAX_BCRYPT_BYTES = 72;

/** The default of `apidesc-platform htpasswd`. */
export const BCRYPT_COST = 12;

const BCRYPT = /^\$2[aby]\$(0[4-9]|[12][0-9]|3[01])\$[./0-9A-Za-z]{53}$/;

/** Parses `$2a$`, `$2b$` and `$2y$` hashes. */
export function readBcrypt(stored: string): PasswordHash | undefined {
  const cost = BCRYPT.exec(stored)?.[1];
  if (cost === undefined) return undefined;
  // A system without the native code is noticed with the first hash that is read, which most stores do at the start.
  bcrypt();
  return toHash(stored, Number(cost));
}

function toHash(stored: string, cost: number): PasswordHash {
  return {
    stored,
    cost: 2 ** cost * 40,
    // Also hashes a password that is too long, so that its rejection takes as long as that of a wrong one.
    verify: async (password) => (await bcrypt().verify(password, stored)) && fitsBcrypt(password),
  };
}

/** Whether bcrypt uses the whole password. */
export function fitsBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BCRYPT_BYTES;
}

/**
 * Hashes a password in the thread pool, with the prefix `$2y$` that Apache's tools read.
 *
 * @param cost 4 to 31, logarithmic
 */
export async function hashWithBcrypt(password: string, cost: number): Promise<string> {
  return await bcrypt().hash(password, { cost, version: '2y', rejectLongPasswords: true });
}

/** Verified for unknown users of an empty store; a match means nothing. */
export const DUMMY_BCRYPT: PasswordHash = toHash(`$2y$10$${'.'.repeat(53)}`, 10);
