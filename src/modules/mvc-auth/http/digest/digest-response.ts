import { digestOf, type DigestAlgorithm } from '../../password-files/digest-algorithm';

/** What a digest binds to its key, beside what is asked for; text is as on the wire, one character an octet. */
export interface DigestBinding {
  readonly algorithm: DigestAlgorithm;
  /** The session variant, `<algorithm>-sess`. */
  readonly session: boolean;
  readonly nonce: string;
  readonly nc: string;
  readonly cnonce: string;
  readonly qop: string;
}

/** What the digest of a request is computed from. */
export interface DigestInput extends DigestBinding {
  /** H(username ":" realm ":" password) in hexadecimal. */
  readonly secret: string;
  readonly method: string;
  readonly uri: string;
  /** H(entity-body), with auth-int only. */
  readonly bodyDigest?: string | undefined;
}

/** The `response` that a client who knows the password sends (RFC 7616, 3.4.1 to 3.4.3). */
export function digestResponse(input: DigestInput): string {
  const { algorithm, secret, method, uri, bodyDigest } = input;
  return digestOver(algorithm, keyedText(input, secret), requestDigest(algorithm, method, uri, bodyDigest));
}

/**
 * What stands before H(A2) in the text that is digested: the same for a request and for the proof of the server. In a
 * session variant the nonce and cnonce of the request itself stand for those of the session's first request: clients
 * that keep their cnonce and clients that compute anew both do so.
 *
 * @param secret H(username ":" realm ":" password) in hexadecimal
 */
export function keyedText(
  { algorithm, session, nonce, nc, cnonce, qop }: DigestBinding,
  secret: string,
): string {
  const a1 = session ? digestOf(algorithm, `${secret}:${nonce}:${cnonce}`, 'latin1') : secret;
  return `${a1}:${nonce}:${nc}:${cnonce}:${qop}:`;
}

/** @param keyed see {@link keyedText}, whose secret is hexadecimal @param a2 see {@link requestDigest} */
export function digestOver(
  algorithm: DigestAlgorithm,
  keyed: string,
  a2: string,
  encoding: 'ascii' | 'latin1' = 'latin1',
): string {
  return digestOf(algorithm, keyed + a2, encoding);
}

/**
 * H(A2) of RFC 7616, 3.4.3.
 *
 * @param method empty for the `rspauth` by which the server proves that it knows the secret too (3.5)
 * @param bodyDigest H(entity-body) of what is sent, with auth-int only
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
