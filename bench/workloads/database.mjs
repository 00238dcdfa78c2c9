// Table services: one row by its key, a page of rows, a new row; and the last page against the first.
import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { ask } from '../measure/ask.mjs';
import { get, inTurn, post } from '../measure/requests.mjs';
import { newProduct, openDatabases, pageSize, product } from '../sample/products.mjs';
import { sameFor } from './rows.mjs';

const ROWS = 260_000;
const SHORT_ROWS = 1000;
const bare = (name) => `bare node:http, ${name}`;
const ours = (name) => `table service, ${name}`;

/**
 * The databases, filled once for all workloads of a run, and stopped with the process.
 * @type {Promise<Awaited<ReturnType<typeof openDatabases>>> | undefined}
 */
let opened;

function databases({ short }) {
  opened ??= openDatabases(short ? SHORT_ROWS : ROWS);
  return opened;
}

/** Ends the databases. */
export async function stopDatabases() {
  for (const { stop } of (await opened) ?? []) await stop();
  opened = undefined;
}

const platformOn = (servers, { adapter }) =>
  servers.platform('hosting', 'products', {
    besides: ['database'],
    environment: { BENCH_DATABASE: JSON.stringify(adapter) },
  });

const PLATFORMATIC = 'Platformatic DB';

const platformaticOn = (servers, { adapter }) =>
  servers.peer('peers/platformatic/app.mjs', { BENCH_DATABASE: JSON.stringify(adapter) });

/** Its driver of SQLite is compiled or downloaded at installation, so it is measured with PostgreSQL only. */
const isComparable = ({ name }, { short }) => name === 'PostgreSQL' && !short;

const bareOn = (servers, { adapter }) =>
  servers.peer('peers/bare/products.mjs', { BENCH_DATABASE: JSON.stringify(adapter) });

const bodyOf = (answer, status = 200) => {
  strictEqual(answer.status, status);
  return JSON.parse(answer.body.toString());
};

/**
 * A workload with the same requests for the bare server and the platform, on each database.
 * `platformatic`: its requests and responses, which differ
 */
function comparison({ name, title, next, check, expect, platformatic }) {
  return {
    name,
    title,
    base: bare('SQLite'),
    targets: [
      ...['SQLite', 'PostgreSQL'].map((one) => ({ row: ours(one), of: bare(one), atLeast: 0.6 })),
      { row: ours('PostgreSQL'), of: PLATFORMATIC, atLeast: 1 },
    ],
    async open(servers, options) {
      const count = options.short ? SHORT_ROWS : ROWS;
      const rows = (await databases(options)).map(async (database) => {
        const row = sameFor(next(count), check, expect);
        const base = bare(database.name);
        const rows = [
          await row.other(base, bareOn(servers, database)),
          { ...(await row.alone(platformOn(servers, database))), name: ours(database.name), base },
        ];
        if (!isComparable(database, options)) return rows;
        const peer = sameFor(platformatic.next(count), platformatic.check);
        return [...rows, { ...(await peer.other(PLATFORMATIC, platformaticOn(servers, database))), base }];
      });
      return (await Promise.all(rows)).flat();
    },
  };
}

const nextKeys = (count) =>
  inTurn(Array.from({ length: 1000 }, (_, at) => get(`/products/${1 + ((at * 7919) % count)}`)));

const checkProduct = (answer) => {
  const row = bodyOf(answer);
  deepStrictEqual(row, product(row.id));
};

/** @type {import('./workload.mjs').Workload} */
const byKey = comparison({
  name: 'db-key',
  title: 'A row by its key',
  next: nextKeys,
  check: checkProduct,
  platformatic: { next: nextKeys, check: checkProduct },
});

const nextPages = (query) =>
  inTurn(Array.from({ length: 900 }, (_, at) => get(`/products?${query(at + 1)}`)));

/** @type {import('./workload.mjs').Workload} */
const page = comparison({
  name: 'db-page',
  title: 'A filtered and sorted page of 25 rows',
  next: () => nextPages((least) => `price.gte=${least}&sort=price`),
  check: (answer) => {
    const { items, next_cursor: cursor } = bodyOf(answer);
    strictEqual(items.length, pageSize);
    deepStrictEqual(items[0], product(items[0].id));
    strictEqual(typeof cursor, 'string');
  },
  platformatic: {
    next: () =>
      nextPages((least) => `where.price.gte=${least}&orderby.price=asc&orderby.id=asc&limit=${pageSize}`),
    check: (answer) => {
      const items = bodyOf(answer);
      strictEqual(items.length, pageSize);
      deepStrictEqual(items[0], product(items[0].id));
    },
  },
});

const nextProducts = () => () => post('/products', JSON.stringify(newProduct));

const checkNew = (status) => (answer) => {
  const row = bodyOf(answer, status);
  deepStrictEqual(row, { id: row.id, ...newProduct });
};

/** @type {import('./workload.mjs').Workload} */
const insert = comparison({
  name: 'db-insert',
  title: 'A new row',
  next: nextProducts,
  check: checkNew(201),
  expect: 201,
  platformatic: { next: nextProducts, check: checkNew(200) },
});

/** The position after a number of pages, as the service issues it. */
async function cursorAfter(service, rows) {
  const answer = await ask(service.port, get(`/products?sort=price&page_size=${rows}`));
  return bodyOf(answer).next_cursor;
}

/** @type {import('./workload.mjs').Workload} */
const keyset = {
  name: 'db-keyset',
  title: 'Page 10,000 and page 1, by cursor',
  base: 'page 1, SQLite',
  targets: ['SQLite', 'PostgreSQL'].map((one) => ({
    row: `page 10,000, ${one}`,
    of: `page 1, ${one}`,
    atLeast: 0.9,
  })),
  async open(servers, options) {
    const pages = options.short ? 30 : 10_000;
    const rows = (await databases(options)).map(async (database) => {
      const service = await platformOn(servers, database);
      const cursor = await cursorAfter(service, (pages - 1) * pageSize);
      const check = (answer) => strictEqual(bodyOf(answer).items.length, pageSize);
      const base = `page 1, ${database.name}`;
      const row = (name, query) => ({
        name,
        base,
        ours: true,
        service,
        check,
        next: () => get(`/products?sort=price${query}`),
      });
      return [row(base, ''), row(`page 10,000, ${database.name}`, `&cursor=${cursor}`)];
    });
    return (await Promise.all(rows)).flat();
  },
};

// The rows that are inserted follow all others.
export default [byKey, page, keyset, insert];
