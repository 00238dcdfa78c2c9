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
 */
export function digestResponse(input: DigestInput): string {
  return responseOver(input, input.method, input.bodyDigest);
}

function responseOver(input: DigestInput, method: string, bodyDigest: string | undefined): string {
  const h = (data: string): string => digestOf(input.algorithm, data, 'latin1');
  const a1 = input.session ? h(`${input.secret}:${input.nonce}:${input.cnonce}`) : input.secret;
  const body = bodyDigest === undefined ? '' : `:${bodyDigest}`;
  const a2 = h(`${method}:${input.uri}${body}`);
  return h(`${a1}:${input.nonce}:${input.nc}:${input.cnonce}:${input.qop}:${a2}`);
}

/**
 * The `rspauth` by which the server proves that it knows the secret too: A2 has no method (RFC 7616, 3.5).
 *
 * @param bodyDigest H(entity-body) of the answer, with auth-int only
 */
export function serverProof(input: DigestInput, bodyDigest?: string): string {
  return responseOver(input, '', bodyDigest);
}
