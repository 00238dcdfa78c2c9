// What a guard costs: the sample with credentials against the same operation without any.
import { createHash } from 'node:crypto';
import { digestClient } from '../measure/digest-client.mjs';
import { basic, get } from '../measure/requests.mjs';
import { shows } from './checks.mjs';

const PATHS = { v1: '/v1/atlas/countries/DE', v2: '/v2/atlas/countries/DE' };
const secret = createHash('md5').update('guide:Atlas:explore').digest('hex');

const FREE = { v1: 'v1, no credentials', v2: 'v2, no credentials' };

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'guarded',
  title: 'What a guard costs',
  base: FREE.v1,
  targets: [],
  async open(servers) {
    const service = await servers.sample();
    const row = (name, client, base) => ({ name, service, ...client, base, check: shows(200) });
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
      row(
        'v1, Basic (bcrypt, remembered)',
        always(get(PATHS.v1, { Authorization: basic('guide', 'explore') })),
      ),
      row(FREE.v2, always(get(PATHS.v2)), FREE.v2),
      row('v2, Digest (MD5, growing counts, 128 nonces)', digest, FREE.v2),
    ];
  },
};
