// A 401 with two Digest challenges, each with a nonce of its own.
import { get } from '../measure/requests.mjs';
import { shows } from './checks.mjs';
import { sameFor } from './rows.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'refused',
  title: '401 with two challenges',
  base: 'bare node:http',
  targets: [],
  async open(servers) {
    const request = get('/digest/42');
    const row = sameFor(() => request, shows(401, 'www-authenticate'), 401);
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/guarded.mjs')),
      row.alone(servers.platform('hosting', 'guarded')),
      row.everything(servers.platform('everything', 'guarded')),
      row.other('http-auth, which knows one', servers.peer('peers/http-auth.mjs')),
    ]);
  },
};
