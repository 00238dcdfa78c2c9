import { randomBytes } from 'node:crypto';
import { digestOf, digestSecret, toDigestAlgorithm, type DigestAlgorithm } from './digest-algorithm';
import { parseCredentials } from '../credentials';
import { fromFieldText, quoted, toFieldText } from '../field-text';
import { digestResponse } from './digest-response';

/** The `Authorization` field with which a client answers a challenge. */
export interface DigestAnswer {
  readonly scheme: 'Digest';
  readonly field: string;
  readonly algorithm: DigestAlgorithm;
}

/**
 * Answers a Digest challenge as a client does (RFC 7616, 3.4), for a request without a body. Returns undefined for a
 * challenge of another scheme or an unknown algorithm.
 *
 * @param count of requests with this nonce, this one included
 */
export function digestAnswer(
  challenge: string,
  user: { readonly username: string; readonly password: string },
  request: { readonly method: string; readonly target: string },
  count: number,
): DigestAnswer | undefined {
  const credentials = parseCredentials(challenge);
  if (credentials?.scheme !== 'digest') return undefined;
  const parameter = (name: string): string => credentials.parameters.get(name) ?? '';
  const algorithm = toDigestAlgorithm(parameter('algorithm'));
  const realm = fromFieldText(parameter('realm'));
  if (algorithm === undefined || realm === undefined) return undefined;
  const nonce = parameter('nonce');
  const [qop = 'auth'] = parameter('qop').split(/, */);
  const nc = count.toString(16).padStart(8, '0');
  const cnonce = randomBytes(16).toString('hex');
  const response = digestResponse({
    algorithm,
    session: false,
    secret: digestSecret(algorithm, user.username, realm, user.password),
    nonce,
    nc,
    cnonce,
    qop,
    method: request.method,
    uri: request.target,
    bodyDigest: qop === 'auth-int' ? digestOf(algorithm, '', 'utf8') : undefined,
  });
  const field = [
    `Digest username=${quoted(toFieldText(user.username))}`,
    `realm=${quoted(parameter('realm'))}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.target)}`,
    `response=${quoted(response)}`,
    `opaque=${quoted(parameter('opaque'))}`,
    `algorithm=${algorithm}`,
    `qop=${qop}`,
    `nc=${nc}`,
    `cnonce=${quoted(cnonce)}`,
  ].join(', ');
  return { scheme: 'Digest', field, algorithm };
}
