// Platformatic DB: its plugins for the tables of a database and for REST, as its documentation has it.
import mapper from '@platformatic/sql-mapper';
import openapi from '@platformatic/sql-openapi';
import fastify from 'fastify';
import { announce } from '../listen.mjs';

const { options } = JSON.parse(process.env.BENCH_DATABASE);
const app = fastify();
await app.register(mapper, { connectionString: options.url, poolSize: 10, autoTimestamp: false });
await app.register(openapi, {});
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server.address().port);
