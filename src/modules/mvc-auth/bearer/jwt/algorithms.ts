/** The signature algorithms of tokens (RFC 7518, 3.1; RFC 8037), and what their keys are. */
export const JWT_ALGORITHMS = {
  HS256: { kty: 'oct', bytes: 32 },
  HS384: { kty: 'oct', bytes: 48 },
  HS512: { kty: 'oct', bytes: 64 },
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  ES256: { kty: 'EC' },
  ES384: { kty: 'EC' },
  ES512: { kty: 'EC' },
  EdDSA: { kty: 'OKP' },
} as const satisfies Record<string, { readonly kty: string; readonly bytes?: number }>;

export type JwtAlgorithm = keyof typeof JWT_ALGORITHMS;

/** Whether its key is a secret that the issuer and the service share. */
export function isSymmetric(algorithm: JwtAlgorithm): boolean {
  return JWT_ALGORITHMS[algorithm].kty === 'oct';
}

/** The minimum length of a secret in bytes: that of the hash (RFC 7518, 3.2). */
export function secretBytesFor(algorithms: readonly JwtAlgorithm[]): number {
  return Math.max(
    0,
    ...algorithms.map((name) => {
      const algorithm = JWT_ALGORITHMS[name];
      return 'bytes' in algorithm ? algorithm.bytes : 0;
    }),
  );
}
