// Express 5 with its own JSON parser; Ajv validates requests, as Express has no validation.
import { createServer } from 'node:http';
import Ajv from 'ajv';
import express from 'express';
import { orderFields, receipt } from '../../sample/order.mjs';
import { serviceCount, thing } from '../../sample/things.mjs';
import { listen } from '../listen.mjs';

const validate = new Ajv({ allErrors: true }).compile(orderFields);
const app = express();

const json = (request, response, next) => {
  if (request.accepts('json')) next();
  else response.sendStatus(406);
};

for (let at = 0; at < serviceCount; at++)
  app.get(`/things-${at}/:thing_id`, json, (request, response) => {
    response.json(thing(request.params.thing_id));
  });

app.post('/orders', json, express.json(), (request, response) => {
  if (validate(request.body)) response.json(receipt(request.body));
  else response.sendStatus(422);
});

listen(createServer(app));
