// A token of an issuer, and the configuration of an adapter that accepts it.
import { generateKeyPairSync, sign } from 'node:crypto';

const [ISSUER, AUDIENCE] = ['https://issuer.example', 'bench'];

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** @returns the token (RS256, valid for a day), the options of the adapter, and its JWK Set */
export function bearerToken() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'guide', scope: 'read write', groups: ['staff'], exp };
  const input = `${encoded({ alg: 'RS256', kid: 'bench', typ: 'JWT' })}.${encoded(claims)}`;
  return {
    token: `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`,
    adapter: {
      adapter: 'JwtAdapter',
      options: { algorithms: ['RS256'], issuer: ISSUER, audience: AUDIENCE, jwks: 'jwks.json' },
    },
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] },
  };
}
