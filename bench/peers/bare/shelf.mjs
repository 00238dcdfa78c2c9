// Bare node:http: a page of the shelf as HAL. With BENCH_SHELF (a file), the same document, prepared before.
import { readFileSync } from 'node:fs';
import { parse } from 'node:querystring';
import { halPage, hasPage, linkField, shelfLinks } from '../../sample/shelf.mjs';
import { accepts, refuse, send } from './answer.mjs';

const hal = accepts('application/hal+json');
const prepared = process.env.BENCH_SHELF && JSON.parse(readFileSync(process.env.BENCH_SHELF, 'utf8'));

const INTEGER = /^\d{1,9}$/;

/** @returns {number | undefined} the number of the page; undefined for an invalid query */
function pageIn(target) {
  const at = target.indexOf('?');
  if (at < 0) return 1;
  const query = parse(target.slice(at + 1));
  for (const name in query) if (name !== 'page') return undefined;
  const { page = '1' } = query;
  return INTEGER.test(page) ? Number(page) : undefined;
}

export function listBooks(request, response) {
  if (request.method !== 'GET') return refuse(response, 405);
  if (!hal(request.headers.accept)) return refuse(response, 406);
  if (prepared) return send(response, 200, 'application/hal+json', JSON.stringify(prepared));
  const page = pageIn(request.url);
  if (page === undefined) return refuse(response, 400);
  if (!hasPage(page)) return refuse(response, 409);
  const links = shelfLinks(page);
  const text = JSON.stringify(halPage(request.url, page, links));
  response.writeHead(200, [
    'Content-Type',
    'application/hal+json',
    'Link',
    linkField(links),
    'Content-Length',
    Buffer.byteLength(text),
  ]);
  return response.end(text);
}
