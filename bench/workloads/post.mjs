// 1 KB of JSON, validated against ten fields.
import { post } from '../measure/requests.mjs';
import { orderText, receipt } from '../sample/order.mjs';
import { showsJson } from './checks.mjs';
import { sameFor } from './rows.mjs';

/** @type {import('./workload.mjs').Workload} */
export default {
  name: 'post',
  title: 'Validated POST of 1 KB',
  base: 'bare node:http',
  targets: [{ row: 'hosting alone', of: 'bare node:http', atLeast: 0.85 }],
  async open(servers) {
    const request = post('/orders', orderText);
    const row = sameFor(() => request, showsJson(receipt(JSON.parse(orderText))));
    const logged = servers.peer('peers/fastify/app.mjs', { BENCH_LOGGED: '1' });
    return Promise.all([
      row.other('bare node:http', servers.peer('peers/bare/app.mjs')),
      row.alone(servers.platform('hosting', 'orders')),
      row.everything(servers.platform('everything', 'orders')),
      row.other('Fastify', servers.peer('peers/fastify/app.mjs')),
      row.other('Fastify, pino to a file, helmet', logged, true),
      row.other('Hono', servers.peer('peers/hono/app.mjs')),
      row.other('Koa', servers.peer('peers/koa/app.mjs')),
      row.other('Express 5', servers.peer('peers/express/app.mjs')),
      row.other('NestJS on Fastify', servers.peer('node_modules/.cache/nest/app.mjs')),
    ]);
  },
};
