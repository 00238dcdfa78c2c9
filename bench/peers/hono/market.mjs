// Hono for the realistic mix: its JWT middleware, zod-openapi for validation and documentation, its logger with pino to a
// file, @hono/prometheus, secure headers. It has no middleware for Digest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { serve } from '@hono/node-server';
import { prometheus } from '@hono/prometheus';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { accepts } from 'hono/accepts';
import { jwt } from 'hono/jwt';
import { logger } from 'hono/logger';
import { secureHeaders } from 'hono/secure-headers';
import pino from 'pino';
import { makers, pageBody, pageLinks, pageOf, sortNames } from '../../sample/catalog.mjs';
import { account, item, placed, storedOrder } from '../../sample/market.mjs';
import { audience, issuer } from '../../sample/tokens.mjs';
import { announce } from '../listen.mjs';
import { order } from './order.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const log = pino(pino.destination(path.join(folder, 'access.log')));

const app = new OpenAPIHono();
const { registerMetrics } = prometheus();
app.use(logger((text) => log.info(text)));
app.use('*', registerMetrics);
app.use(secureHeaders());

const json = async (context, next) => {
  if (accepts(context, { header: 'Accept', supports: ['application/json'], default: '' }) === '')
    return context.json({ status: 406 }, 406);
  return next();
};
const bearer = jwt({
  secret: process.env.BENCH_PUBLIC_KEY,
  alg: 'RS256',
  verification: { iss: issuer, aud: audience },
});

const itemSchema = z.object({
  item_id: z.string(),
  name: z.string(),
  maker: z.string(),
  price: z.number(),
  in_stock: z.boolean(),
});
const accountSchema = z.object({
  account_id: z.string(),
  owner: z.string(),
  email: z.string(),
  credit: z.number(),
  roles: z.array(z.string()),
});
const stored = order.extend({ order_id: z.string() });
const page = z.object({
  items: z.array(itemSchema),
  page: z.int(),
  page_size: z.int(),
  page_count: z.int(),
  total_items: z.int(),
});
const content = (schema) => ({ content: { 'application/json': { schema } }, description: 'Success.' });
const body = (schema) => ({ content: { 'application/json': { schema } }, required: true });
const query = z.strictObject({
  maker: z.enum(makers),
  sort: z.enum(sortNames.flatMap((name) => [name, `-${name}`])),
  page: z.coerce.number().int().min(1).default(1),
});
const route = (method, at, description, middleware, request, responses) =>
  createRoute({ method, path: at, description, middleware, request, responses });

app.openapi(
  route(
    'get',
    '/items/{item_id}',
    'Returns an item.',
    [json],
    { params: z.object({ item_id: z.string() }) },
    { 200: content(itemSchema) },
  ),
  (context) => context.json(item(context.req.valid('param').item_id)),
);

app.openapi(route('get', '/items', 'Lists items.', [json], { query }, { 200: content(page) }), (context) => {
  const { maker, sort, page: number } = context.req.valid('query');
  const found = pageBody(pageOf(maker, sort, number), number);
  if (number > found.page_count) return context.json({ status: 409 }, 409);
  const links = pageLinks('/items', `maker=${maker}&sort=${sort}`, number, found.page_count);
  return context.json(found, 200, { Link: links });
});

app.openapi(
  route(
    'get',
    '/accounts/{account_id}',
    'Returns an account.',
    [bearer, json],
    { params: z.object({ account_id: z.string() }) },
    { 200: content(accountSchema) },
  ),
  (context) => context.json(account(context.req.valid('param').account_id)),
);

app.openapi(
  route(
    'post',
    '/orders',
    'Places an order.',
    [bearer, json],
    { body: body(order) },
    { 201: content(stored) },
  ),
  (context) => {
    const made = placed(context.req.valid('json'));
    return context.json(made, 201, { Location: `/orders/${made.order_id}` });
  },
);

app.openapi(
  route(
    'patch',
    '/orders/{order_id}',
    'Changes an order.',
    [bearer, json],
    { params: z.object({ order_id: z.string() }), body: body(order.partial()) },
    { 200: content(stored) },
  ),
  (context) =>
    context.json({ ...storedOrder(context.req.valid('param').order_id), ...context.req.valid('json') }),
);

app.doc('/documentation/json', { openapi: '3.0.0', info: { title: 'Market', version: '1' } });

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
