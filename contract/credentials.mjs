// Computes the Authorization field for a request from the challenge in a 401 (RFC 7616, RFC 7617).
import { createHash, randomBytes } from 'node:crypto';

const ALGORITHMS = { MD5: 'md5', 'SHA-256': 'sha256' };

/**
 * @param {string | null} challenges the `WWW-Authenticate` of a 401
 * @param {{ name: string, password: string }} user
 */
export function authorize(challenges, method, target, { name, password }) {
  if (challenges === null) return undefined;
  if (/^Basic/i.test(challenges)) return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const parameters = Object.fromEntries(
    [...challenges.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)]
      .reverse()
      .map(([, key, quoted, token]) => [key, quoted ?? token]),
  );
  const { realm, nonce, opaque, algorithm = 'MD5' } = parameters;
  const hash = (text) => createHash(ALGORITHMS[algorithm]).update(text).digest('hex');
  const cnonce = randomBytes(8).toString('hex');
  const secret = hash(`${name}:${realm}:${password}`);
  const response = hash(`${secret}:${nonce}:00000001:${cnonce}:auth:${hash(`${method}:${target}`)}`);
  const quoted = { username: name, realm, nonce, uri: target, response, cnonce, opaque };
  const fields = Object.entries(quoted).map(([key, value]) => `${key}="${value}"`);
  return `Digest ${fields.join(', ')}, qop=auth, nc=00000001, algorithm=${algorithm}`;
}
