import { digestOf, type DigestAlgorithm } from '../../password-files/digest-algorithm';

/** What the digest of a request is computed from; text is as on the wire, one character an octet. */
export interface DigestInput {
  readonly algorithm: DigestAlgorithm;
  /** The session variant, `<algorithm>-sess`. */
  readonly session: boolean;
  /** H(username ":" realm ":" password) in hexadecimal. */
  readonly secret: string;
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
  readonly qop: string;
  readonly method: string;
  readonly uri: string;
  /** H(entity-body), with auth-int only. */
  readonly bodyDigest?: string | undefined;
}

/**
 * The `response` that a client who knows the password sends (RFC 7616, 3.4.1 to 3.4.3). In a session variant
 * the nonce and cnonce of the request itself stand for those of the session's first request: clients that keep
 * their cnonce and clients that compute anew both do so.
 *
 * @param a2 H(A2), where it is known already
 */
export function digestResponse(
  input: DigestInput,
  a2 = requestDigest(input.algorithm, input.method, input.uri, input.bodyDigest),
): string {
  const { algorithm, secret, session, nonce, nc, cnonce, qop } = input;
  const a1 = session ? digestOf(algorithm, `${secret}:${nonce}:${cnonce}`, 'latin1') : secret;
  return digestOf(algorithm, `${a1}:${nonce}:${nc}:${cnonce}:${qop}:${a2}`, 'latin1');
}

/** H(A2) of RFC 7616, 3.4.3. @param method empty for that of the server's proof */
export function requestDigest(
  algorithm: DigestAlgorithm,
  method: string,
  uri: string,
  bodyDigest?: string,
): string {
  const body = bodyDigest === undefined ? '' : `:${bodyDigest}`;
  return digestOf(algorithm, `${method}:${uri}${body}`, 'latin1');
}

/**
 * The `rspauth` by which the server proves that it knows the secret too: A2 has no method (RFC 7616, 3.5).
 *
 * @param bodyDigest H(entity-body) of the answer, with auth-int only
 */
export function serverProof(input: DigestInput, bodyDigest?: string): string {
  return digestResponse(input, requestDigest(input.algorithm, '', input.uri, bodyDigest));
}
