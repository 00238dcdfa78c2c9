// Tokens of an issuer, and the configuration of an adapter that accepts them.
import { generateKeyPairSync, sign } from 'node:crypto';
import { audience, issuer } from '../sample/tokens.mjs';

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * A new issuer: `tokenOf` signs a token of a user (RS256, valid for a day), `adapter` accepts it with the keys in
 * `jwks`, `publicKey` verifies it.
 */
export function bearerIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  return {
    tokenOf(user) {
      const claims = { iss: issuer, aud: audience, sub: user, scope: 'read write', groups: ['staff'], exp };
      const input = `${encoded({ alg: 'RS256', kid: 'bench', typ: 'JWT' })}.${encoded(claims)}`;
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    },
    adapter: {
      adapter: 'JwtAdapter',
      options: { algorithms: ['RS256'], issuer, audience, jwks: 'jwks.json' },
    },
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' }] },
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }),
  };
}
