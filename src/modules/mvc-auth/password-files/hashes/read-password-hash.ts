import { readApr1 } from './apr1-hash';
import { readBcrypt } from './bcrypt-hash';
import type { PasswordHash } from './password-hash';
import { readSha1 } from './sha1-hash';
import { readShaCrypt } from './sha-crypt-hash';
import { readWeakHash, type WeakKind } from './weak-hash';

const READERS = [readBcrypt, readApr1, readSha1, readShaCrypt] as const;

/**
 * Reads a stored hash of any kind that is supported, or nothing.
 *
 * @param weak kinds that are taken beside, though they protect nothing
 */
export function readPasswordHash(stored: string, weak: readonly WeakKind[] = []): PasswordHash | undefined {
  for (const read of READERS) {
    const found = read(stored);
    if (found) return found;
  }
  return readWeakHash(stored, weak);
}
