// Digest with MD5, 128 nonces in turn, each with an increasing count.
import { digestClient } from '../measure/digest-client.mjs';
import { digestSecrets, realm, user } from '../sample/guarded.mjs';
import { thing } from '../sample/things.mjs';
import { showsJson } from './checks.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'digest',
  title: 'Digest, growing counts over 128 nonces',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.8 }],
  async open(servers, { short }) {
    const row = async (name, starting, more = {}) => {
      const service = await starting;
      const secret = digestSecrets.md5;
      const client = await digestClient({
        port: service.port,
        target: '/digest/42',
        user,
        realm,
        secret,
        nonces: short ? 8 : 128,
      });
      return { name, service, ...client, check: showsJson(thing('42')), ...more };
    };
    return Promise.all([
      row('bare node:http', servers.peer('peers/bare/guarded.mjs')),
      row('hosting alone', servers.platform('hosting', 'guarded'), { ours: true }),
      row('everything on', servers.platform('everything', 'guarded'), { ours: true, complete: true }),
      row('http-auth', servers.peer('peers/http-auth.mjs')),
    ]);
  },
};
