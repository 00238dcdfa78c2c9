import { readApr1 } from './apr1-hash';
import { readBcrypt } from './bcrypt-hash';
import type { PasswordHash } from './password-hash';
import { readSha1 } from './sha1-hash';
import { readShaCrypt } from './sha-crypt-hash';
import { readWeakHash, type WeakKind } from './weak-hash';

const READERS = [readBcrypt, readApr1, readSha1, readShaCrypt] as const;

/**
 * Parses a stored hash of any supported kind.
 *
 * @param weak further kinds to accept, which offer no protection
 */
export function readPasswordHash(stored: string, weak: readonly WeakKind[] = []): PasswordHash | undefined {
  for (const read of READERS) {
    const found = read(stored);
    if (found) return found;
  }
  return readWeakHash(stored, weak);
}
