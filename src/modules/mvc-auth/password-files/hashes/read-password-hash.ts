import { readApr1 } from './apr1-hash';
import { readBcrypt } from './bcrypt-hash';
import type { PasswordHash } from './password-hash';
import { readSha1 } from './sha1-hash';
import { readShaCrypt } from './sha-crypt-hash';

const READERS = [readBcrypt, readApr1, readSha1, readShaCrypt] as const;

/** Reads a stored hash of any kind that is supported, or nothing. */
export function readPasswordHash(stored: string): PasswordHash | undefined {
  for (const read of READERS) {
    const found = read(stored);
    if (found) return found;
  }
  return undefined;
}
