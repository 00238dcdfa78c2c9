// A HAL collection of 50, compared with JSON.stringify of the same object.
import { ask } from '../measure/ask.mjs';
import { get } from '../measure/requests.mjs';
import { showsJson } from './checks.mjs';
import { sameFor } from './rows.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'hal',
  title: 'HAL collection of 50',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.85 }],
  async open(servers) {
    const request = get('/books', { Accept: 'application/hal+json' });
    const alone = await servers.platform('hosting', 'shelf', { besides: ['hal'] });
    const { body } = await ask(alone.port, request);
    const environment = { BENCH_SHELF: servers.file('shelf.json', body) };
    const logged = servers.peer('peers/fastify/app.mjs', { ...environment, BENCH_LOGGED: '1' });
    const row = sameFor(() => request, showsJson(JSON.parse(body.toString()), 'application/hal+json'));
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs', environment)),
      row.alone(alone),
      row.everything(servers.platform('everything', 'shelf')),
      row.other('Fastify, serialized by schema', servers.peer('peers/fastify/app.mjs', environment)),
      row.other('Fastify, pino to a file, helmet', logged, true),
      row.other('Hono', servers.peer('peers/hono/app.mjs', environment)),
    ]);
  },
};
