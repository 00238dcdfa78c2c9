// Bare node:http: a switch for the route, `Accept`, a validator, JSON.stringify.
import { createServer } from 'node:http';
import Ajv from 'ajv';
import { orderFields, receipt } from '../../sample/order.mjs';
import { findThing, isAsync, serviceCount, thing } from '../../sample/things.mjs';
import { listen } from '../listen.mjs';
import { accepts, pathOf, refuse, send } from './answer.mjs';
import { listItems, showPrice } from './catalog.mjs';
import { listBooks } from './shelf.mjs';

const validate = new Ajv({ allErrors: true }).compile(orderFields);
const json = accepts('application/json');

function showThing(request, response, path) {
  const slash = path.indexOf('/', 8);
  const service = Number(path.slice(8, slash));
  if (!(slash > 0 && service >= 0 && service < serviceCount)) return refuse(response, 404);
  if (request.method !== 'GET') return refuse(response, 405);
  if (!json(request.headers.accept)) return refuse(response, 406);
  const id = decodeURIComponent(path.slice(slash + 1));
  return isAsync
    ? sendFound(response, id)
    : send(response, 200, 'application/json', JSON.stringify(thing(id)));
}

async function sendFound(response, id) {
  const found = await findThing(id);
  send(response, 200, 'application/json', JSON.stringify(found));
}

function takeOrder(request, response) {
  if (request.method !== 'POST') return refuse(response, 405);
  if (!json(request.headers.accept)) return refuse(response, 406);
  if (request.headers['content-type'] !== 'application/json') return refuse(response, 415);
  const parts = [];
  let length = 0;
  request.on('data', (part) => {
    length += part.length;
    if (length <= 1_048_576) parts.push(part);
  });
  request.on('end', () => {
    if (length > 1_048_576) return refuse(response, 413);
    let order;
    try {
      order = JSON.parse((parts.length === 1 ? parts[0] : Buffer.concat(parts)).toString());
    } catch {
      return refuse(response, 400);
    }
    if (!validate(order)) return refuse(response, 422);
    return send(response, 200, 'application/json', JSON.stringify(receipt(order)));
  });
  return undefined;
}

listen(
  createServer((request, response) => {
    const path = pathOf(request.url);
    switch (path) {
      case '/orders':
        return takeOrder(request, response);
      case '/books':
        return listBooks(request, response);
      case '/items':
        return listItems(request, response, path);
      default:
        if (path.startsWith('/prices-')) return showPrice(request, response, path);
        if (path.startsWith('/things-')) return showThing(request, response, path);
        return refuse(response, 404);
    }
  }),
);
