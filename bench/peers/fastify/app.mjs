// Fastify with request and response schemas; with BENCH_LOGGED also pino to a file, and helmet.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import accepts from '@fastify/accepts';
import helmet from '@fastify/helmet';
import Fastify from 'fastify';
import { orderFields, receipt, receiptFields } from '../../sample/order.mjs';
import { findThing, isAsync, serviceCount, thing, thingFields } from '../../sample/things.mjs';
import { announce } from '../listen.mjs';
import { catalog } from './catalog.mjs';
import { shelf } from './shelf.mjs';

const logged = process.env.BENCH_LOGGED === '1';
const folder = logged ? mkdtempSync(path.join(tmpdir(), 'bench-')) : undefined;
if (logged) process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const fastify = Fastify({
  logger: logged ? { level: 'info', file: path.join(folder, 'access.log') } : false,
});
await fastify.register(accepts);
if (logged) await fastify.register(helmet);

/** Responds 406 when the client accepts no available type. */
const only = (type) => (request, reply, done) => {
  if (request.type([type]) === false) reply.code(406).send({ statusCode: 406, error: 'Not Acceptable' });
  else done();
};

for (let at = 0; at < serviceCount; at++) {
  fastify.get(`/things-${at}/:thing_id`, {
    schema: {
      params: { type: 'object', properties: { thing_id: { type: 'string' } } },
      response: { 200: thingFields },
    },
    preHandler: only('application/json'),
    handler: isAsync
      ? async (request) => await findThing(request.params.thing_id)
      : (request, reply) => reply.send(thing(request.params.thing_id)),
  });
}

catalog(fastify, only('application/json'));

fastify.post('/orders', {
  schema: { body: orderFields, response: { 200: receiptFields } },
  preHandler: only('application/json'),
  handler: (request, reply) => reply.send(receipt(request.body)),
});

shelf(fastify, only('application/hal+json'));

await fastify.listen({ port: 0, host: '127.0.0.1' });
announce(fastify.server.address().port);
