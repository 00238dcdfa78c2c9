// An entity by a route parameter, with one or four declared query parameters.
import { get, inTurn } from '../measure/requests.mjs';
import { priceOf, quoteQueries } from '../sample/catalog.mjs';
import { showsLike } from './checks.mjs';
import { sameFor } from './rows.mjs';

const LOGGED = 'Fastify, pino to a file, helmet';
const TYPED = { 1: { quantity: 3 }, 4: { quantity: 3, currency: 'USD', discount: 0.25, gift: true } };

/** @param {1 | 4} count @param {number} atLeast */
const workload = (count, atLeast) => ({
  name: `query-${count}`,
  title: `GET with ${count === 1 ? 'one query parameter' : `${count} query parameters`}`,
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast, ahead: true }],
  async open(servers) {
    const requests = Array.from({ length: 1000 }, (_, at) =>
      get(`/prices-${count}/${at}?${quoteQueries[count]}`),
    );
    const row = sameFor(inTurn(requests), showsLike(priceOf('0', TYPED[count]), 'item_id'));
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs')),
      row.alone(servers.platform('hosting', 'catalog')),
      row.everything(servers.platform('everything', 'catalog')),
      row.other('Fastify', servers.peer('peers/fastify/app.mjs')),
      row.other(LOGGED, servers.peer('peers/fastify/app.mjs', { BENCH_LOGGED: '1' }), true),
      row.other('Hono', servers.peer('peers/hono/app.mjs')),
    ]);
  },
});

/** @type {readonly import('./workload.mjs').Workload[]} */
export default [workload(1, 0.85), workload(4, 0.8)];
