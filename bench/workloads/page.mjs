// A page of 25 of a collection, filtered and sorted.
import { get, inTurn } from '../measure/requests.mjs';
import { makers, pageBody, pageOf } from '../sample/catalog.mjs';
import { showsPage } from './checks.mjs';
import { sameFor } from './rows.mjs';

const LOGGED = 'Fastify, pino to a file, helmet';

const requests = makers.flatMap((maker) =>
  ['price', '-price', 'name', '-name'].flatMap((sort) =>
    [1, 2, 3, 7].map((page) => get(`/items?maker=${maker}&sort=${sort}&page=${page}`)),
  ),
);

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'page',
  title: 'Page of 25 with filter and sort',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.85, ahead: true }],
  async open(servers) {
    const row = sameFor(inTurn(requests), showsPage(pageBody(pageOf(makers[0], 'price', 1), 1)));
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs')),
      row.alone(servers.platform('hosting', 'catalog')),
      row.everything(servers.platform('everything', 'catalog')),
      row.other('Fastify', servers.peer('peers/fastify/app.mjs')),
      row.other(LOGGED, servers.peer('peers/fastify/app.mjs', { BENCH_LOGGED: '1' }), true),
      row.other('Hono', servers.peer('peers/hono/app.mjs')),
    ]);
  },
};
