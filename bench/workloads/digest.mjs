// Digest with MD5, 128 nonces in turn, each with an increasing count.
import { digestRow } from './digest-row.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'digest',
  title: 'Digest, growing counts over 128 nonces',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.8 }],
  async open(servers, { short }) {
    const row = (name, starting, more) => digestRow(name, starting, short, more);
    return Promise.all([
      row('bare node:http', servers.peer('peers/bare/guarded.mjs')),
      row('hosting alone', servers.platform('hosting', 'guarded'), { ours: true }),
      row('everything on', servers.platform('everything', 'guarded'), { ours: true, complete: true }),
      row('http-auth', servers.peer('peers/http-auth.mjs')),
    ]);
  },
};
