// Koa with @koa/router and @koa/bodyparser; Ajv validates requests, as Koa has no validation.
import { createServer } from 'node:http';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import Ajv from 'ajv';
import Koa from 'koa';
import { orderFields, receipt } from '../../sample/order.mjs';
import { serviceCount, thing } from '../../sample/things.mjs';
import { listen } from '../listen.mjs';

const validate = new Ajv({ allErrors: true }).compile(orderFields);
const app = new Koa();
const router = new Router();

const json = (context, next) => {
  if (!context.accepts('json')) context.throw(406);
  return next();
};

for (let at = 0; at < serviceCount; at++)
  router.get(`/things-${at}/:thing_id`, json, (context) => {
    context.body = thing(context.params.thing_id);
  });

router.post('/orders', json, bodyParser({ enableTypes: ['json'] }), (context) => {
  if (!validate(context.request.body)) context.throw(422);
  context.body = receipt(context.request.body);
});

app.use(router.routes());
app.use(router.allowedMethods());
listen(createServer(app.callback()));
