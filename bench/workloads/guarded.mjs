// The cost of authentication: the sample with credentials, compared with the same operation without any.
import { createHash } from 'node:crypto';
import { digestClient } from '../measure/digest-client.mjs';
import { basic, get } from '../measure/requests.mjs';
import { bearerIssuer } from './bearer-issuer.mjs';
import { shows } from './checks.mjs';

const PATHS = { v1: '/v1/atlas/countries/DE', v2: '/v2/atlas/countries/DE' };
const secret = createHash('md5').update('guide:Atlas:explore').digest('hex');

/** Processes of one program differ by 5%, as their compilers optimize differently. */
const SERVERS = 3;

const BASIC = 'v1, Basic (bcrypt, remembered)';
const BEARER = 'v1, Bearer (RS256, remembered)';
const DIGEST = 'v2, Digest (MD5, growing counts, 128 nonces)';
const FREE = { v1: 'v1, no credentials', v2: 'v2, no credentials' };

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'guarded',
  title: 'What a guard costs',
  base: FREE.v1,
  targets: [
    { row: BASIC, of: FREE.v1, atLeast: 0.85 },
    { row: BEARER, of: FREE.v1, atLeast: 0.85 },
    { row: DIGEST, of: FREE.v2, atLeast: 0.75 },
  ],
  async open(servers) {
    const rows = [];
    for (let at = 0; at < SERVERS; at++) {
      const issuer = bearerIssuer();
      const service = await servers.sample(guardedBy(issuer), { 'jwks.json': JSON.stringify(issuer.jwks) });
      rows.push(...(await rowsOf(service, issuer.tokenOf('guide'))));
    }
    return rows;
  },
};

/** Version 1 accepts tokens, too. */
const guardedBy = ({ adapter }) => ({
  'platform-mvc-auth': {
    authentication: { adapters: { bearer: adapter }, map: { 'Atlas-v1': ['atlas-basic', 'bearer'] } },
  },
});

async function rowsOf(service, token) {
  const row = (name, client, base) => ({ name, service, ...client, base, ours: true, check: shows(200) });
  const always = (request) => ({ next: () => request });
  const digest = await digestClient({
    port: service.port,
    target: PATHS.v2,
    challenged: '/v2/atlas/visits',
    user: 'guide',
    realm: 'Atlas',
    secret,
  });
  return [
    row(FREE.v1, always(get(PATHS.v1))),
    row(BASIC, always(get(PATHS.v1, { Authorization: basic('guide', 'explore') }))),
    row(BEARER, always(get(PATHS.v1, { Authorization: `Bearer ${token}` }))),
    row(FREE.v2, always(get(PATHS.v2)), FREE.v2),
    row(DIGEST, digest, FREE.v2),
  ];
}
