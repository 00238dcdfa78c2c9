import { digestOf, type DigestAlgorithm } from './digest-algorithm';

/** The inputs of a digest besides the secret and H(A2); text as on the wire, one character per octet. */
export interface DigestBinding {
  readonly algorithm: DigestAlgorithm;
  /** The session variant, `<algorithm>-sess`. */
  readonly session: boolean;
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
  readonly qop: string;
}

/** The inputs of the digest of a request. */
export interface DigestInput extends DigestBinding {
  /** H(username ":" realm ":" password) in hexadecimal. */
  readonly secret: string;
  readonly method: string;
  readonly uri: string;
  /** H(entity-body), for `auth-int` only. */
  readonly bodyDigest?: string | undefined;
}

/** Computes `response` (RFC 7616, 3.4.1 to 3.4.3). */
export function digestResponse(input: DigestInput): string {
  const { algorithm, secret, method, uri, bodyDigest } = input;
  return finalDigest(
    algorithm,
    digestPrefix(input, secret),
    requestDigest(algorithm, method, uri, bodyDigest),
  );
}

/**
 * Builds the text before H(A2), which `response` and `rspauth` have in common. In a session variant, A1 is computed
 * with the nonce and cnonce of this request instead of the session's first: clients that keep their cnonce and
 * clients that change it both send that.
 *
 * @param secret H(username ":" realm ":" password) in hexadecimal
 */
export function digestPrefix(
  { algorithm, session, nonce, nc, cnonce, qop }: DigestBinding,
  secret: string,
): string {
  const a1 = session ? digestOf(algorithm, `${secret}:${nonce}:${cnonce}`, 'latin1') : secret;
  return `${a1}:${nonce}:${nc}:${cnonce}:${qop}:`;
}

/** @param prefix of {@link digestPrefix} @param a2 of {@link requestDigest} */
export function finalDigest(
  algorithm: DigestAlgorithm,
  prefix: string,
  a2: string,
  encoding: 'ascii' | 'latin1' = 'latin1',
): string {
  return digestOf(algorithm, prefix + a2, encoding);
}

/**
 * Computes H(A2) (RFC 7616, 3.4.3).
 *
 * @param method empty for `rspauth`, with which the server authenticates itself (3.5)
 * @param bodyDigest H(entity-body), for `auth-int` only
 */
export function requestDigest(
  algorithm: DigestAlgorithm,
  method: string,
  uri: string,
  bodyDigest?: string,
): string {
  const body = bodyDigest === undefined ? '' : `:${bodyDigest}`;
  return digestOf(algorithm, `${method}:${uri}${body}`, 'latin1');
}
