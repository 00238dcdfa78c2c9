// Bare node:http for the realistic mix: routes, queries, validated bodies, Digest and Bearer, documentation, access log
// and metrics by hand.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Ajv from 'ajv';
import { user } from '../../sample/guarded.mjs';
import { account, item, orderPatchFields, placed, storedOrder } from '../../sample/market.mjs';
import { orderFields } from '../../sample/order.mjs';
import { listen } from '../listen.mjs';
import { accepts, pathOf } from './answer.mjs';
import { bearerUser } from './bearer.mjs';
import { findItems } from './catalog.mjs';
import { acceptsDigest, digestChallenges } from './digest.mjs';
import { observe } from './observed.mjs';

/** Of the platform: the path, headers and body of its documentation, and the security headers. */
const copy = JSON.parse(readFileSync(process.env.BENCH_COPY, 'utf8'));
const documentation = Buffer.from(copy.body, 'base64');
const SECURITY = JSON.parse(process.env.BENCH_HEADERS);

const MAX_BYTES = 1_048_576;
const json = accepts('application/json');
const ajv = new Ajv({ allErrors: true });
const validate = ajv.compile(orderFields);
const validatePatch = ajv.compile(orderPatchFields);

function send({ response, seen }, status, text, fields = [], type = 'application/json') {
  response.writeHead(status, [
    'Content-Type',
    type,
    'X-Request-Id',
    seen.id,
    ...SECURITY,
    ...fields,
    'Content-Length',
    Buffer.byteLength(text),
  ]);
  response.end(text);
}

function refuse(exchange, status, fields) {
  send(exchange, status, JSON.stringify({ status }), fields, 'application/problem+json');
}

/** The user of valid credentials. */
function userOf({ method, url, headers: { authorization: field = '' } }) {
  if (field.startsWith('Digest ')) return acceptsDigest(field, method, url) ? user : undefined;
  return field.startsWith('Bearer ') ? bearerUser(field) : undefined;
}

/** Calls `work` for signed-in users. */
function guarded(exchange, work) {
  const name = userOf(exchange.request);
  if (name === undefined)
    return refuse(exchange, 401, [...digestChallenges(), 'WWW-Authenticate', 'Bearer realm="Bench"']);
  exchange.seen.user = name;
  return work();
}

/** Reads and validates the body of a request. */
function readBody(exchange, isValid, work) {
  const { request } = exchange;
  if (request.headers['content-type'] !== 'application/json') return refuse(exchange, 415);
  const parts = [];
  let length = 0;
  request.on('data', (part) => {
    length += part.length;
    if (length <= MAX_BYTES) parts.push(part);
  });
  request.on('end', () => {
    if (length > MAX_BYTES) return refuse(exchange, 413);
    let body;
    try {
      body = JSON.parse((parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString());
    } catch {
      return refuse(exchange, 400);
    }
    return isValid(body) ? work(body) : refuse(exchange, 422);
  });
  return undefined;
}

const idOf = (path, prefix) => decodeURIComponent(path.slice(prefix.length));

function listItems(exchange, path) {
  const { status, text, links } = findItems(exchange.request.url, path);
  if (status !== undefined) return refuse(exchange, status);
  return send(exchange, 200, text, ['Link', links]);
}

function placeOrder(exchange) {
  return readBody(exchange, validate, (order) => {
    const made = placed(order);
    send(exchange, 201, JSON.stringify(made), ['Location', `/orders/${made.order_id}`]);
  });
}

function changeOrder(exchange, path) {
  return readBody(exchange, validatePatch, (patch) =>
    send(exchange, 200, JSON.stringify({ ...storedOrder(idOf(path, '/orders/')), ...patch })),
  );
}

const ROUTES = [
  { route: '/items/:id', prefix: '/items/', method: 'GET', work: showItem },
  { route: '/items', prefix: '/items', method: 'GET', work: listItems },
  { route: '/accounts/:id', prefix: '/accounts/', method: 'GET', isGuarded: true, work: showAccount },
  { route: '/orders/:id', prefix: '/orders/', method: 'PATCH', isGuarded: true, work: changeOrder },
  { route: '/orders', prefix: '/orders', method: 'POST', isGuarded: true, work: placeOrder },
];

function showItem(exchange, path) {
  send(exchange, 200, JSON.stringify(item(idOf(path, '/items/'))));
}

function showAccount(exchange, path) {
  send(exchange, 200, JSON.stringify(account(idOf(path, '/accounts/'))));
}

function showDocumentation({ request, response, seen }) {
  seen.route = 'documentation';
  if (request.method !== 'GET') return refuse({ request, response, seen }, 405);
  response.writeHead(200, ['X-Request-Id', seen.id, ...copy.fields]);
  return response.end(documentation);
}

listen(
  createServer((request, response) => {
    const exchange = { request, response, seen: observe(request, response) };
    const path = pathOf(request.url);
    if (path === copy.path) return showDocumentation(exchange);
    const found = ROUTES.find(({ prefix }) => path.startsWith(prefix));
    if (found === undefined) return refuse(exchange, 404);
    exchange.seen.route = found.route;
    if (request.method !== found.method) return refuse(exchange, 405);
    if (!json(request.headers.accept)) return refuse(exchange, 406);
    if (!found.isGuarded) return found.work(exchange, path);
    return guarded(exchange, () => found.work(exchange, path));
  }),
);
