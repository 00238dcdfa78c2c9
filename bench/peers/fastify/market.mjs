// Fastify for the realistic mix, with the plugins of its documentation: @fastify/jwt (with its cache), @fastify/swagger,
// pino to a file, fastify-metrics, helmet. None of its plugins verifies Digest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import accepts from '@fastify/accepts';
import helmet from '@fastify/helmet';
import jwt from '@fastify/jwt';
import swagger from '@fastify/swagger';
import Fastify from 'fastify';
import metrics from 'fastify-metrics';
import { makers, pageBody, pageLinks, pageOf, sortNames } from '../../sample/catalog.mjs';
import {
  account,
  accountFields,
  item,
  itemFields,
  orderPatchFields,
  placed,
  storedOrder,
  storedOrderFields,
} from '../../sample/market.mjs';
import { orderFields } from '../../sample/order.mjs';
import { audience, issuer } from '../../sample/tokens.mjs';
import { announce } from '../listen.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const fastify = Fastify({ logger: { level: 'info', file: path.join(folder, 'access.log') } });
await fastify.register(accepts);
await fastify.register(helmet);
await fastify.register(metrics, { endpoint: '/metrics' });
await fastify.register(swagger, { openapi: { info: { title: 'Market', version: '1' } } });
await fastify.register(jwt, {
  secret: { public: process.env.BENCH_PUBLIC_KEY },
  verify: { algorithms: ['RS256'], allowedIss: issuer, allowedAud: audience, cache: true },
});

/** Responds 406 when the client accepts no JSON. */
const preHandler = (request, reply, done) => {
  if (request.type(['application/json']) === false)
    reply.code(406).send({ statusCode: 406, error: 'Not Acceptable' });
  else done();
};

const onRequest = async (request, reply) => {
  try {
    await request.jwtVerify();
  } catch (error) {
    reply.send(error);
  }
};

const params = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } } });

const pageSchema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: itemFields },
    page: { type: 'integer' },
    page_size: { type: 'integer' },
    page_count: { type: 'integer' },
    total_items: { type: 'integer' },
  },
};

const pageQuery = {
  type: 'object',
  properties: {
    maker: { type: 'string', enum: makers },
    sort: { type: 'string', enum: sortNames.flatMap((name) => [name, `-${name}`]) },
    page: { type: 'integer', minimum: 1, default: 1 },
  },
  required: ['maker', 'sort'],
  additionalProperties: false,
};

await fastify.register((app, _, done) => {
  app.get('/items/:item_id', {
    schema: { description: 'Returns an item.', params: params('item_id'), response: { 200: itemFields } },
    preHandler,
    handler: (request, reply) => reply.send(item(request.params.item_id)),
  });
  app.get('/items', {
    schema: { description: 'Lists items.', querystring: pageQuery, response: { 200: pageSchema } },
    preHandler,
    handler: (request, reply) => {
      const { maker, sort, page } = request.query;
      const body = pageBody(pageOf(maker, sort, page), page);
      const links = pageLinks('/items', `maker=${maker}&sort=${sort}`, page, body.page_count);
      return page > body.page_count
        ? reply.code(409).send({ statusCode: 409, error: 'Conflict' })
        : reply.header('Link', links).send(body);
    },
  });
  app.get('/accounts/:account_id', {
    schema: {
      description: 'Returns an account.',
      params: params('account_id'),
      response: { 200: accountFields },
    },
    onRequest,
    preHandler,
    handler: (request, reply) => reply.send(account(request.params.account_id)),
  });
  app.post('/orders', {
    schema: { description: 'Places an order.', body: orderFields, response: { 201: storedOrderFields } },
    onRequest,
    preHandler,
    handler: (request, reply) => {
      const order = placed(request.body);
      return reply.code(201).header('Location', `/orders/${order.order_id}`).send(order);
    },
  });
  app.patch('/orders/:order_id', {
    schema: {
      description: 'Changes an order.',
      params: params('order_id'),
      body: orderPatchFields,
      response: { 200: storedOrderFields },
    },
    onRequest,
    preHandler,
    handler: (request, reply) => reply.send({ ...storedOrder(request.params.order_id), ...request.body }),
  });
  app.get('/documentation/json', { schema: { hide: true } }, () => fastify.swagger());
  done();
});

await fastify.listen({ port: 0, host: '127.0.0.1' });
announce(fastify.server.address().port);
