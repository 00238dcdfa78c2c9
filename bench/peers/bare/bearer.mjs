// Bearer by hand: RS256, issuer, audience and expiry; a verified token is remembered.
import { createPublicKey, verify } from 'node:crypto';
import { audience, issuer } from '../../sample/tokens.mjs';

const key = createPublicKey(process.env.BENCH_PUBLIC_KEY);
/** Claims by token. */
const remembered = new Map();

const decode = (part) => JSON.parse(Buffer.from(part, 'base64url').toString());

/** @param {string} field of `Authorization` @returns {string | undefined} the user of a valid token */
export function bearerUser(field) {
  const token = field.slice('Bearer '.length);
  const now = Date.now() / 1000;
  const known = remembered.get(token);
  if (known !== undefined) return known.exp > now ? known.sub : undefined;
  const [head, claims, signature] = token.split('.');
  if (signature === undefined) return undefined;
  try {
    if (decode(head).alg !== 'RS256') return undefined;
    const signed = Buffer.from(`${head}.${claims}`);
    if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return undefined;
    const { iss, aud, sub, exp } = decode(claims);
    if (iss !== issuer || aud !== audience || !(exp > now)) return undefined;
    if (remembered.size >= 1000) remembered.delete(remembered.keys().next().value);
    remembered.set(token, { sub, exp });
    return sub;
  } catch {
    return undefined;
  }
}
