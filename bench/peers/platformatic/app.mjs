// Platformatic DB as its package starts it, with REST only.
import { buildServer } from '@platformatic/db';
import { announce } from '../listen.mjs';

const { options } = JSON.parse(process.env.BENCH_DATABASE);
const app = await buildServer({
  server: { hostname: '127.0.0.1', port: 0, logger: { level: 'error' } },
  db: { connectionString: options.url, poolSize: 10, openapi: true, graphql: false },
});
await app.start();
announce(new URL(app.url).port);
