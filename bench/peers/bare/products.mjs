// Bare node:http with the driver of a database: the same requests, statements and responses, by hand.
import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { URLSearchParams } from 'node:url';
import Ajv from 'ajv';
import { pageSize, productFields, sqliteDriver } from '../../sample/products.mjs';
import { listen } from '../listen.mjs';
import { accepts, pathOf, refuse, send } from './answer.mjs';

const { adapter, options } = JSON.parse(process.env.BENCH_DATABASE);
const COLUMNS = 'id, name, price, maker, note';
const acceptable = accepts('application/json');
const validate = new Ajv({ allErrors: true }).compile(productFields);

/** Prepared statements; the driver of SQLite is synchronous. */
function sqlite() {
  const database = new (sqliteDriver().DatabaseSync)(options.file);
  database.exec('PRAGMA busy_timeout = 5; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return (text) => {
    const statement = database.prepare(text.replaceAll(/\$\d/g, '?'));
    return (values) => statement.all(...values);
  };
}

function postgres() {
  const { Pool } = createRequire(import.meta.url)('pg');
  const pool = new Pool({ connectionString: options.url, max: 10, statement_timeout: 5000 });
  let count = 0;
  return (text) => {
    const name = `s${++count}`;
    return async (values) => (await pool.query({ name, text, values })).rows;
  };
}

const prepare = adapter === 'SqliteAdapter' ? sqlite() : postgres();
const byKey = prepare(`SELECT ${COLUMNS} FROM products WHERE id = $1`);
const ORDER = `ORDER BY price, id LIMIT ${pageSize + 1}`;
const page = prepare(`SELECT ${COLUMNS} FROM products WHERE price >= $1 ${ORDER}`);
const pageAfter = prepare(
  `SELECT ${COLUMNS} FROM products WHERE price >= $1 AND (price, id) > ($2, $3) ${ORDER}`,
);
const insert = prepare(
  `INSERT INTO products (name, price, maker, note) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
);

function sendEntity(response, status, row, location) {
  const text = JSON.stringify(row);
  const fields = ['Content-Type', 'application/json', 'ETag', `"${hash('sha1', text, 'base64url')}"`];
  if (location !== undefined) fields.push('Location', location);
  response.writeHead(status, [...fields, 'Content-Length', Buffer.byteLength(text)]);
  response.end(text);
}

async function show(response, id) {
  const [row] = await byKey([id]);
  if (row === undefined) refuse(response, 404);
  else sendEntity(response, 200, row);
}

async function list(response, query) {
  const parameters = new URLSearchParams(query);
  const least = Number(parameters.get('price.gte') ?? 0);
  const cursor = parameters.get('cursor');
  if (!Number.isSafeInteger(least)) return refuse(response, 400);
  const rows =
    cursor === null
      ? await page([least])
      : await pageAfter([least, ...JSON.parse(Buffer.from(cursor, 'base64url').toString())]);
  const items = rows.length > pageSize ? rows.slice(0, -1) : rows;
  const last = items.at(-1);
  const next =
    rows.length > pageSize ? Buffer.from(JSON.stringify([last.price, last.id])).toString('base64url') : null;
  const body = { items, page_size: pageSize, next_cursor: next, previous_cursor: null };
  if (next !== null) {
    parameters.set('cursor', next);
    response.setHeader('Link', `</products?${parameters}>; rel="next"`);
  }
  return send(response, 200, 'application/json', JSON.stringify(body));
}

function create(request, response) {
  if (request.headers['content-type'] !== 'application/json') return refuse(response, 415);
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    let body;
    try {
      body = JSON.parse(Buffer.concat(parts).toString());
    } catch {
      return refuse(response, 400);
    }
    if (!validate(body)) return refuse(response, 422);
    return insertRow(response, body).catch(() => refuse(response, 500));
  });
  return undefined;
}

async function insertRow(response, { name, price, maker = null, note = null }) {
  const [row] = await insert([name, price, maker, note]);
  sendEntity(response, 201, row, `/products/${row.id}`);
}

listen(
  createServer((request, response) => {
    if (!acceptable(request.headers.accept)) return refuse(response, 406);
    const path = pathOf(request.url);
    const failed = () => refuse(response, 500);
    if (path === '/products' && request.method === 'POST') return create(request, response);
    if (request.method !== 'GET') return refuse(response, 405);
    if (path === '/products') return list(response, request.url.slice(path.length)).catch(failed);
    const id = Number(path.slice('/products/'.length));
    return Number.isSafeInteger(id) ? show(response, id).catch(failed) : refuse(response, 404);
  }),
);
