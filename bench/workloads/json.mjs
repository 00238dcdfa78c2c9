// Routed JSON: one of ten services, `Accept`, a small entity.
import { get, inTurn } from '../measure/requests.mjs';
import { thing } from '../sample/things.mjs';
import { showsLike } from './checks.mjs';
import { sameFor } from './rows.mjs';

const LOGGED = 'Fastify, pino to a file, helmet';

/** Things of all services in turn. @param {number} services @param {number} [count] different requests */
export function thingRequests(services, count = 1000) {
  return Array.from({ length: count }, (_, at) =>
    get(`/things-${Math.floor((at * services) / count)}/${at}`),
  );
}

/** Rows that get the things of ten services in turn. */
const thingRow = () => sameFor(inTurn(thingRequests(10)), showsLike(thing('0'), 'thing_id'));

/** With asynchronous handlers, as most real ones are: those that wait for nothing show what promises cost. */
const ASYNC = { BENCH_ASYNC: '1' };

/** @type {import('./workload.mjs').Workload} */
export const asyncJson = {
  name: 'async-json',
  title: 'Routed JSON, asynchronous handlers',
  base: 'bare node:http',
  targets: [
    { row: 'hosting alone', of: 'Fastify', atLeast: 1 },
    { row: 'hosting alone', of: 'Hono', atLeast: 1 },
  ],
  async open(servers) {
    const row = thingRow();
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs', ASYNC)),
      row.alone(servers.platform('hosting', 'things', { environment: ASYNC })),
      row.everything(servers.platform('everything', 'things', { environment: ASYNC })),
      row.other('Fastify', servers.peer('peers/fastify/app.mjs', ASYNC)),
      row.other('Hono', servers.peer('peers/hono/app.mjs', ASYNC)),
    ]);
  },
};

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'json',
  title: 'Routed JSON',
  base: 'bare node:http',
  targets: [
    { row: 'hosting alone', of: 'bare node:http', atLeast: 0.9 },
    { row: 'with documentation', of: 'bare node:http', atLeast: 0.88 },
    { row: 'everything on', of: LOGGED, atLeast: 2.5 },
  ],
  async open(servers) {
    const row = thingRow();
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs')),
      row.alone(servers.platform('hosting', 'things')),
      row.documented(servers.platform('hosting', 'things', { besides: ['documentation'] })),
      row.everything(servers.platform('everything', 'things')),
      row.other('Fastify', servers.peer('peers/fastify/app.mjs')),
      row.other(LOGGED, servers.peer('peers/fastify/app.mjs', { BENCH_LOGGED: '1' }), true),
      row.other('Hono', servers.peer('peers/hono/app.mjs')),
      row.other('Koa', servers.peer('peers/koa/app.mjs')),
      row.other('Express 5', servers.peer('peers/express/app.mjs')),
      row.other('NestJS on Fastify', servers.peer('node_modules/.cache/nest/app.mjs')),
    ]);
  },
};
