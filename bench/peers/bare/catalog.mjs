// Bare node:http: prices and pages of the catalog. Each query is parsed and checked by hand.
import { parse } from 'node:querystring';
import { makers, pageBody, pageLinks, pageOf, pageSize, priceOf, sortNames } from '../../sample/catalog.mjs';
import { accepts, refuse, send } from './answer.mjs';

const json = accepts('application/json');

const INTEGER = /^\d{1,9}$/;
const NUMBER = /^\d{1,9}(?:\.\d{1,9})?$/;
const CURRENCIES = ['EUR', 'USD', 'GBP'];
const NAMES = { 1: ['quantity'], 4: ['quantity', 'currency', 'discount', 'gift'] };
const ORDERS = sortNames.flatMap((name) => [name, `-${name}`]);

/** The query of a target, without prototype. @param {string} target */
function queryOf(target) {
  const at = target.indexOf('?');
  return at < 0 ? {} : parse(target.slice(at + 1));
}

/** @returns the typed query; undefined if it is invalid */
function readQuote(query, names) {
  for (const name in query) if (!names.includes(name)) return undefined;
  const { quantity, currency, discount, gift } = query;
  if (!INTEGER.test(quantity) || Number(quantity) < 1 || Number(quantity) > 1000) return undefined;
  if (currency !== undefined && !CURRENCIES.includes(currency)) return undefined;
  if (discount !== undefined && !(NUMBER.test(discount) && Number(discount) <= 1)) return undefined;
  if (gift !== undefined && gift !== 'true' && gift !== 'false') return undefined;
  return {
    quantity: Number(quantity),
    currency,
    discount: discount === undefined ? undefined : Number(discount),
    gift: gift === undefined ? undefined : gift === 'true',
  };
}

export function showPrice(request, response, path) {
  const slash = path.indexOf('/', 8);
  const names = NAMES[path.slice(8, slash)];
  if (slash < 0 || names === undefined) return refuse(response, 404);
  if (request.method !== 'GET') return refuse(response, 405);
  if (!json(request.headers.accept)) return refuse(response, 406);
  const query = readQuote(queryOf(request.url), names);
  if (query === undefined) return refuse(response, 400);
  const id = decodeURIComponent(path.slice(slash + 1));
  return send(response, 200, 'application/json', JSON.stringify(priceOf(id, query)));
}

/**
 * The page that a target requests.
 * @returns {{ status: number } | { text: string, links: string }} `status`: of the error
 */
export function findItems(target, path) {
  const query = queryOf(target);
  for (const name in query)
    if (name !== 'maker' && name !== 'sort' && name !== 'page') return { status: 400 };
  const { maker, sort, page: pageText = '1' } = query;
  if (!makers.includes(maker) || !ORDERS.includes(sort) || !INTEGER.test(pageText)) return { status: 400 };
  const page = Number(pageText);
  const found = pageOf(maker, sort, page);
  const pages = Math.ceil(found.total / pageSize);
  if (page < 1 || page > pages) return { status: 409 };
  return {
    text: JSON.stringify(pageBody(found, page)),
    links: pageLinks(path, `maker=${maker}&sort=${sort}`, page, pages),
  };
}

export function listItems(request, response, path) {
  if (request.method !== 'GET') return refuse(response, 405);
  if (!json(request.headers.accept)) return refuse(response, 406);
  const { status, text, links } = findItems(request.url, path);
  if (status !== undefined) return refuse(response, status);
  response.writeHead(200, [
    'Content-Type',
    'application/json',
    'Link',
    links,
    'Content-Length',
    Buffer.byteLength(text),
  ]);
  return response.end(text);
}
