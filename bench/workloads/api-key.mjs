// An API key in a header field, compared with the same operation without credentials.
import { get } from '../measure/requests.mjs';
import { key } from '../sample/api-key.mjs';
import { thing } from '../sample/things.mjs';
import { showsJson } from './checks.mjs';

/** Processes of one program differ by 5%, as their compilers optimize differently. */
const SERVERS = 3;

const [OPEN, KEY] = ['no credentials', 'API key'];

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'api-key',
  title: 'API key',
  base: OPEN,
  targets: [{ row: KEY, of: OPEN, atLeast: 0.85 }],
  async open(servers) {
    const rows = [];
    for (let at = 0; at < SERVERS; at++) {
      const service = await servers.platform('hosting', 'guarded');
      const row = (name, request) => ({
        name,
        service,
        next: () => request,
        ours: true,
        check: showsJson(thing('42')),
      });
      rows.push(row(OPEN, get('/open/42')), row(KEY, get('/key/42', { 'X-API-Key': key })));
    }
    return rows;
  },
};
