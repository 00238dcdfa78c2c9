// The adapters of guarded services, and their files.
import { keyFile } from '../sample/api-key.mjs';
import { bcryptHash, digestSecrets, realm, user } from '../sample/guarded.mjs';

/** A line for each algorithm, as in the sample: two challenges. */
const digestFile = Object.values(digestSecrets)
  .map((secret) => `${user}:${realm}:${secret}\n`)
  .join('');

const adapter = (name, options) => ({
  adapter: 'HttpAdapter',
  options: { realm, ...options, [name]: `bench.${name}` },
});

const adapters = {
  'bench-basic': adapter('htpasswd', { accept_schemes: ['basic'] }),
  'bench-digest': adapter('htdigest', {
    accept_schemes: ['digest'],
    digest_domains: '',
    nonce_timeout: '3600',
  }),
  'bench-key': { adapter: 'ApiKeyAdapter', options: { keys: 'bench.keys.json' } },
};

/** An adapter for each API of `guarded.mjs`. */
export const guards = {
  adapters,
  map: { Basic: 'bench-basic', Digest: 'bench-digest', Key: 'bench-key' },
};

/** By path from the root of the project. */
export const guardFiles = {
  'bench.htpasswd': `${user}:${bcryptHash}\n`,
  'bench.htdigest': digestFile,
  'bench.keys.json': keyFile,
};

/**
 * The options of a project whose API accepts Digest, and tokens of an issuer.
 * @param {string} api @param {ReturnType<typeof import('../workloads/bearer-issuer.mjs').bearerIssuer>} issuer
 */
export function digestAndBearer(api, issuer) {
  const authentication = {
    adapters: { 'bench-digest': adapters['bench-digest'], 'bench-bearer': issuer.adapter },
    map: { [api]: ['bench-digest', 'bench-bearer'] },
  };
  return {
    changes: { 'platform-mvc-auth': { authentication } },
    files: { 'bench.htdigest': digestFile, 'jwks.json': JSON.stringify(issuer.jwks) },
  };
}
