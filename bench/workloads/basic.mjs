// Basic with a bcrypt hash: the same client repeatedly.
import { basic, get } from '../measure/requests.mjs';
import { password, user } from '../sample/guarded.mjs';
import { thing } from '../sample/things.mjs';
import { showsJson } from './checks.mjs';
import { sameFor } from './rows.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'basic',
  title: 'Basic, bcrypt',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.9 }],
  async open(servers) {
    const rowOf = (target) => {
      const request = get(target, { Authorization: basic(user, password) });
      return sameFor(() => request, showsJson(thing('42')));
    };
    const row = rowOf('/basic/42');
    const bare = await servers.peer('peers/bare/guarded.mjs');
    return Promise.all([
      row.other('bare node:http', bare),
      rowOf('/open/42').other('bare node:http, no sign-in', bare),
      row.alone(servers.platform('hosting', 'guarded')),
      row.everything(servers.platform('everything', 'guarded')),
      row.other('Fastify, @fastify/basic-auth', servers.peer('peers/fastify/basic.mjs')),
      row.other('http-auth', servers.peer('peers/http-auth.mjs')),
    ]);
  },
};
