// Digest by hand: two MD5 digests for each request, an increasing count for each nonce.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { digestSecrets, realm, user } from '../../sample/guarded.mjs';

const md5 = (text) => hash('md5', text);
const counts = new Map();

const PARAMETER = /(\w+)=(?:"([^"]*)"|([^\s,]+))/g;

/**
 * Realm, nonce, target, increasing count, and the response of RFC 7616, 3.4.1.
 * @returns the value of `Authentication-Info` (3.5), or true where it is not sent; false for a refusal
 */
export function acceptsDigest(field, method, target, sendsInfo = false) {
  const parameters = {};
  for (const [, name, quoted, token] of field.matchAll(PARAMETER)) parameters[name] = quoted ?? token;
  const { nonce, uri, nc, cnonce, qop, response } = parameters;
  const last = counts.get(nonce);
  const count = parseInt(nc, 16);
  if (parameters.username !== user || parameters.realm !== realm || uri !== target || qop !== 'auth')
    return false;
  if (last === undefined || !(count > last) || response?.length !== 32) return false;
  const prefix = `${digestSecrets.md5}:${nonce}:${nc}:${cnonce}:${qop}:`;
  const expected = md5(prefix + md5(`${method}:${uri}`));
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(response))) return false;
  counts.set(nonce, count);
  if (!sendsInfo) return true;
  return `rspauth="${md5(prefix + md5(`:${uri}`))}", qop=${qop}, cnonce="${cnonce}", nc=${nc}`;
}

/** Header fields of a 401 as name, value, name, value: a challenge for each algorithm, with the same new nonce. */
export function digestChallenges() {
  const nonce = randomBytes(24).toString('base64url');
  // A nonce for each challenge, stored while there is room; the oldest is dropped first.
  counts.set(nonce, 0);
  if (counts.size > 100_000) counts.delete(counts.keys().next().value);
  return ['SHA-256', 'MD5'].flatMap((algorithm) => [
    'WWW-Authenticate',
    `Digest realm="${realm}", nonce="${nonce}", opaque="bare", algorithm=${algorithm}, qop="auth"`,
  ]);
}
