import { hash } from 'node:crypto';

/** The algorithms of Digest, in the order in which they are offered (RFC 7616, 3.7). */
export const DIGEST_ALGORITHMS = ['SHA-256', 'SHA-512-256', 'MD5'] as const;

/** An algorithm of Digest without its session variant (RFC 7616, 6.1). */
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

const PRIMITIVES: Readonly<Record<DigestAlgorithm, { readonly name: string; readonly digits: number }>> = {
  'SHA-256': { name: 'sha256', digits: 64 },
  'SHA-512-256': { name: 'sha512-256', digits: 64 },
  MD5: { name: 'md5', digits: 32 },
};

/** How many hexadecimal digits a digest of the algorithm has. */
export function digestDigits(algorithm: DigestAlgorithm): number {
  return PRIMITIVES[algorithm].digits;
}

/**
 * The unkeyed digest H(data) of RFC 7616, 3.3, in lower-case hexadecimal.
 *
 * @param encoding `ascii` for text that is known to be, `latin1` for text that came off the wire (one character, one octet), `utf8` for text of ours.
 */
export function digestOf(
  algorithm: DigestAlgorithm,
  data: string,
  encoding: 'ascii' | 'latin1' | 'utf8',
): string {
  // Of ASCII the octets are the same in every encoding, and hashing the text as it is saves a copy.
  if (encoding === 'ascii' || Buffer.byteLength(data) === data.length)
    return hash(PRIMITIVES[algorithm].name, data, 'hex');
  return digestOfBytes(algorithm, Buffer.from(data, encoding));
}

/** The same over octets, such as those of a body. */
export function digestOfBytes(algorithm: DigestAlgorithm, data: Uint8Array): string {
  return hash(PRIMITIVES[algorithm].name, data, 'hex');
}

/**
 * The stored secret of a user, H(username ":" realm ":" password): what a line of a digest file holds
 * (RFC 7616, 3.4.2).
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

/** The algorithm of that name in any letter case, or nothing. */
export function toDigestAlgorithm(name: string): DigestAlgorithm | undefined {
  const wanted = name.toUpperCase();
  return DIGEST_ALGORITHMS.find((algorithm) => algorithm === wanted);
}
