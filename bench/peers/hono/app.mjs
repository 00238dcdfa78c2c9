// Hono on Node: its accepts helper, and zod for requests, as its documentation recommends.
import { serve } from '@hono/node-server';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { receipt } from '../../sample/order.mjs';
import { findThing, isAsync, serviceCount, thing } from '../../sample/things.mjs';
import { announce } from '../listen.mjs';
import { catalog } from './catalog.mjs';
import { order } from './order.mjs';
import { shelf } from './shelf.mjs';

const app = new Hono();

/** Responds 406 when the client accepts no available type. */
const only = (type) => async (context, next) => {
  if (accepts(context, { header: 'Accept', supports: [type], default: '' }) !== type)
    return context.json({ status: 406 }, 406);
  return next();
};

const show = isAsync
  ? async (context) => context.json(await findThing(context.req.param('thing_id')))
  : (context) => context.json(thing(context.req.param('thing_id')));
for (let at = 0; at < serviceCount; at++) app.get(`/things-${at}/:thing_id`, only('application/json'), show);

catalog(app, only('application/json'));

app.post('/orders', only('application/json'), zValidator('json', order), (context) =>
  context.json(receipt(context.req.valid('json'))),
);

shelf(app, only('application/hal+json'));

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
