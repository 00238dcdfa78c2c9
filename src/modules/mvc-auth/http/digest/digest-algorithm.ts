import { hash } from 'node:crypto';

/** The Digest algorithms, strongest first, as they are offered (RFC 7616, 3.7). */
export const DIGEST_ALGORITHMS = ['SHA-256', 'SHA-512-256', 'MD5'] as const;

/** A Digest algorithm without its session variant (RFC 7616, 6.1). */
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

const PRIMITIVES: Readonly<Record<DigestAlgorithm, { readonly name: string; readonly digits: number }>> = {
  'SHA-256': { name: 'sha256', digits: 64 },
  'SHA-512-256': { name: 'sha512-256', digits: 64 },
  MD5: { name: 'md5', digits: 32 },
};

/** The number of hexadecimal digits in a digest of the algorithm. */
export function digestDigits(algorithm: DigestAlgorithm): number {
  return PRIMITIVES[algorithm].digits;
}

/**
 * Computes the unkeyed digest H(data) of RFC 7616, 3.3, in lower-case hexadecimal.
 *
 * @param encoding `latin1` for text from the wire (one character per octet), `utf8` for our own text, `ascii` for text known to be ASCII
 */
export function digestOf(
  algorithm: DigestAlgorithm,
  data: string,
  encoding: 'ascii' | 'latin1' | 'utf8',
): string {
  // ASCII has the same octets in every encoding; hashing the string itself saves a copy.
  if (encoding === 'ascii' || Buffer.byteLength(data) === data.length)
    return hash(PRIMITIVES[algorithm].name, data, 'hex');
  return digestOfBytes(algorithm, Buffer.from(data, encoding));
}

/** As {@link digestOf}, over octets such as those of a body. */
export function digestOfBytes(algorithm: DigestAlgorithm, data: Uint8Array): string {
  return hash(PRIMITIVES[algorithm].name, data, 'hex');
}

/**
 * Computes the stored secret of a user, H(username ":" realm ":" password) (RFC 7616, 3.4.2).
 *
 * @example
 * digestSecret('MD5', 'Mufasa', 'http-auth@example.org', 'Circle of Life'); // '3d78807defe7de2157e2b0b6573a855f'
 */
export function digestSecret(
  algorithm: DigestAlgorithm,
  username: string,
  realm: string,
  password: string,
): string {
  return digestOf(algorithm, `${username}:${realm}:${password}`, 'utf8');
}

/** Returns a stored secret as {@link digestSecret} does; undefined for anything else than as many hexadecimal digits. */
export function readDigestSecret(stored: string, algorithm: DigestAlgorithm): string | undefined {
  const secret = stored.trim().toLowerCase();
  return secret.length === digestDigits(algorithm) && /^[0-9a-f]+$/.test(secret) ? secret : undefined;
}

/** Finds an algorithm by its name, case-insensitively. */
export function toDigestAlgorithm(name: string): DigestAlgorithm | undefined {
  const upperCase = name.toUpperCase();
  return DIGEST_ALGORITHMS.find((algorithm) => algorithm === upperCase);
}
