import { constants, createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key pair of an issuer, and its public part as a JWK. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

/** Generates a key for an algorithm of tokens. */
export function signingKey(alg: string, kid = alg.toLowerCase(), modulusLength = 2048): SigningKey {
  const { privateKey, publicKey } = pairOf(alg, modulusLength);
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } };
}

function pairOf(alg: string, modulusLength: number): { privateKey: KeyObject; publicKey: KeyObject } {
  const namedCurve = CURVES[alg];
  if (namedCurve !== undefined) return generateKeyPairSync('ec', { namedCurve });
  return alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength });
}

const encoded = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Signs any header and claims, also those that no issuer would write. */
export function signed(header: object | string, claims: object | string, key: SigningKey | string): string {
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${signatureOf(input, header, key).toString('base64url')}`;
}

function signatureOf(input: string, header: object | string, key: SigningKey | string): Buffer {
  if (typeof key === 'string') {
    const alg = typeof header === 'object' && 'alg' in header ? String(header.alg) : 'HS256';
    return createHmac(`sha${alg.slice(2)}`, key)
      .update(input)
      .digest();
  }
  const { alg, privateKey } = key;
  const data = Buffer.from(input);
  if (alg === 'EdDSA') return sign(null, data, privateKey);
  const digest = `sha${alg.slice(2)}`;
  if (alg.startsWith('ES')) return sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  if (alg.startsWith('PS'))
    return sign(digest, data, {
      key: privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    });
  return sign(digest, data, privateKey);
}

/** A token of a key, with its header. */
export function tokenOf(claims: object, key: SigningKey): string {
  return signed({ alg: key.alg, kid: key.kid, typ: 'JWT' }, claims, key);
}

/** Seconds since the epoch, as claims have them. */
export function secondsFromNow(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}
