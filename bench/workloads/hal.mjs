// A HAL collection of 50, whose links and entities each server creates for every request.
import { ask } from '../measure/ask.mjs';
import { get } from '../measure/requests.mjs';
import { showsJson } from './checks.mjs';
import { sameFor } from './rows.mjs';

/** Neither links nor entities: only `JSON.stringify`. */
const PREPARED = 'bare node:http, a prepared document';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'hal',
  title: 'HAL collection of 50',
  base: 'bare node:http',
  targets: [
    { row: 'hosting alone', of: 'bare node:http', atLeast: 0.85 },
    { row: 'hosting alone', of: PREPARED, atLeast: 0.85 },
  ],
  async open(servers) {
    const request = get('/books', { Accept: 'application/hal+json' });
    const alone = await servers.platform('hosting', 'shelf', { besides: ['hal'] });
    const { body } = await ask(alone.port, request);
    const document = { BENCH_SHELF: servers.file('shelf.json', body) };
    const logged = servers.peer('peers/fastify/app.mjs', { BENCH_LOGGED: '1' });
    const row = sameFor(() => request, showsJson(JSON.parse(body.toString()), 'application/hal+json'));
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs')),
      row.other(PREPARED, servers.peer('peers/bare/app.mjs', document)),
      row.alone(alone),
      row.everything(servers.platform('everything', 'shelf')),
      row.other('Fastify, serialized by schema', servers.peer('peers/fastify/app.mjs')),
      row.other('Fastify, pino to a file, helmet', logged, true),
      row.other('Hono', servers.peer('peers/hono/app.mjs')),
    ]);
  },
};
