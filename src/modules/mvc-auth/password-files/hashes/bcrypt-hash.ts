import { hash, verify } from '@node-rs/bcrypt';
import type { PasswordHash } from './password-hash';

/** bcrypt looks at so many octets; what is longer is refused, or its first 72 would be the password. */
export const BCRYPT_LONGEST = 72;

/** What `platform htpasswd` uses unless told otherwise. */
export const BCRYPT_COST = 12;

const BCRYPT = /^\$2[aby]\$(0[4-9]|[12][0-9]|3[01])\$[./0-9A-Za-z]{53}$/;

/** Reads `$2a$`, `$2b$` and `$2y$` hashes, or nothing. */
export function readBcrypt(stored: string): PasswordHash | undefined {
  const cost = BCRYPT.exec(stored)?.[1];
  return cost === undefined ? undefined : toHash(stored, Number(cost));
}

function toHash(stored: string, cost: number): PasswordHash {
  return {
    stored,
    cost: 2 ** cost * 40,
    // A password that is too long is hashed all the same, so that its refusal takes as long as that of every other.
    verify: async (password) => (await verify(password, stored)) && fitsBcrypt(password),
  };
}

/** Whether bcrypt would look at the whole password. */
export function fitsBcrypt(password: string): boolean {
  return Buffer.byteLength(password) <= BCRYPT_LONGEST;
}

/**
 * Hashes a password for a file, with the prefix `$2y$` that Apache's tools read too. The work is done off the
 * event loop.
 *
 * @param cost 4 to 31, the logarithm of the work
 */
export function hashWithBcrypt(password: string, cost: number): Promise<string> {
  return hash(password, { cost, version: '2y', rejectLongPasswords: true });
}

/** A hash to try where there is none; whether a password happens to match it means nothing. */
export const NOBODYS_BCRYPT: PasswordHash = toHash(`$2y$10$${'.'.repeat(53)}`, 10);
