// Express 5 for the realistic mix: http-auth for Digest, express-jwt for Bearer, pino-http to a file, express-prom-bundle,
// helmet, Ajv.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Ajv from 'ajv';
import express from 'express';
import { expressjwt } from 'express-jwt';
import promBundle from 'express-prom-bundle';
import helmet from 'helmet';
import auth from 'http-auth';
import authConnect from 'http-auth-connect';
import pino from 'pino';
import pinoHttp from 'pino-http';
import { makers, pageBody, pageLinks, pageOf, sortNames } from '../../sample/catalog.mjs';
import { digestSecrets, realm, user } from '../../sample/guarded.mjs';
import { account, item, orderPatchFields, placed, storedOrder } from '../../sample/market.mjs';
import { orderFields } from '../../sample/order.mjs';
import { audience, issuer } from '../../sample/tokens.mjs';
import { listen } from '../listen.mjs';
import { marketDocument } from './market-document.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const htdigest = path.join(folder, 'htdigest');
writeFileSync(htdigest, `${user}:${realm}:${digestSecrets.md5}\n`);

const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true });
const validateOrder = ajv.compile(orderFields);
const validatePatch = ajv.compile(orderPatchFields);
const validateQuery = ajv.compile({
  type: 'object',
  properties: {
    maker: { type: 'string', enum: makers },
    sort: { type: 'string', enum: sortNames.flatMap((name) => [name, `-${name}`]) },
    page: { type: 'integer', minimum: 1, default: 1 },
  },
  required: ['maker', 'sort'],
  additionalProperties: false,
});

const digest = authConnect(auth.digest({ realm, file: htdigest }));
const bearer = expressjwt({
  secret: process.env.BENCH_PUBLIC_KEY,
  algorithms: ['RS256'],
  issuer,
  audience,
});
const guard = (request, response, next) => {
  if (request.headers.authorization?.startsWith('Bearer ')) bearer(request, response, next);
  else digest(request, response, next);
};

const json = (request, response, next) => {
  if (request.accepts('json')) next();
  else response.sendStatus(406);
};

const app = express();
app.use(pinoHttp({ logger: pino(pino.destination(path.join(folder, 'access.log'))) }));
app.use(promBundle({ includeMethod: true, includePath: true }));
app.use(helmet());

app.get('/items/:item_id', json, (request, response) => {
  response.json(item(request.params.item_id));
});

app.get('/items', json, (request, response) => {
  const query = { ...request.query };
  if (!validateQuery(query)) return response.sendStatus(400);
  const { maker, sort, page } = query;
  const body = pageBody(pageOf(maker, sort, page), page);
  if (page > body.page_count) return response.sendStatus(409);
  response.set('Link', pageLinks('/items', `maker=${maker}&sort=${sort}`, page, body.page_count));
  return response.json(body);
});

app.get('/accounts/:account_id', guard, json, (request, response) => {
  response.json(account(request.params.account_id));
});

app.post('/orders', guard, json, express.json(), (request, response) => {
  if (!validateOrder(request.body)) return response.sendStatus(422);
  const order = placed(request.body);
  return response.status(201).location(`/orders/${order.order_id}`).json(order);
});

app.patch('/orders/:order_id', guard, json, express.json(), (request, response) => {
  if (!validatePatch(request.body)) return response.sendStatus(422);
  return response.json({ ...storedOrder(request.params.order_id), ...request.body });
});

app.get('/documentation/json', (_request, response) => {
  response.json(marketDocument);
});

listen(createServer(app));
