// Digest with MD5, 128 nonces in turn, each with an increasing count.
import { digestRow, noncesOf } from './digest-row.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'digest',
  title: 'Digest, growing counts over 128 nonces',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.85 }],
  async open(servers, options) {
    const row = (name, starting, more) => digestRow(name, starting, noncesOf(options), more);
    return Promise.all([
      row('bare node:http', servers.peer('peers/bare/guarded.mjs')),
      row(
        'bare node:http, Authentication-Info',
        servers.peer('peers/bare/guarded.mjs', { AUTHENTICATION_INFO: 'on' }),
      ),
      row('hosting alone', servers.platform('hosting', 'guarded'), { ours: true }),
      row('everything on', servers.platform('everything', 'guarded'), { ours: true, complete: true }),
      row('http-auth', servers.peer('peers/http-auth.mjs')),
    ]);
  },
};
