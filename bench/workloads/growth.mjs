// How throughput changes as quantities grow: connections, users in a password file, nonces in use, rows of a table. The
// number of services is measured by `services`. Rows are named `SERIES, COUNT UNIT`, which the charts read.
import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { basic, get, inTurn } from '../measure/requests.mjs';
import { bcryptHash, password, user } from '../sample/guarded.mjs';
import { pageSize, product, productsWith } from '../sample/products.mjs';
import { thing } from '../sample/things.mjs';
import { showsJson, showsLike } from './checks.mjs';
import { digestRow } from './digest-row.mjs';
import { thingRequests } from './json.mjs';
import { sameFor } from './rows.mjs';

const BARE = 'bare node:http';
const OURS = 'hosting alone';

const named = (series, count, unit) => `${series}, ${count.toLocaleString('en')} ${unit}`;

/** @type {import('./workload.mjs').Workload} */
const connections = {
  name: 'growth-connections',
  title: 'Growth: connections',
  base: named(BARE, 8, 'connections'),
  targets: [],
  async open(servers, { short }) {
    const [bare, ours] = await Promise.all([
      servers.peer('peers/bare/app.mjs'),
      servers.platform('hosting', 'things'),
    ]);
    const row = (series, service, count) => ({
      name: named(series, count, 'connections'),
      service,
      next: inTurn(thingRequests(10)),
      check: showsLike(thing('0'), 'thing_id'),
      base: named(BARE, count, 'connections'),
      connections: count,
    });
    const counts = short ? [8] : [8, 64, 512, 2_048];
    return counts.flatMap((count) => [row(BARE, bare, count), row(OURS, ours, count)]);
  },
};

/** A file in which the last of so many users signs in. */
const passwordFile = (count) =>
  `${Array.from({ length: count - 1 }, (_, at) => `user-${at}:${bcryptHash}\n`).join('')}${user}:${bcryptHash}\n`;

/** @type {import('./workload.mjs').Workload} */
const users = {
  name: 'growth-users',
  title: 'Growth: users in a password file',
  base: named(OURS, 10, 'users'),
  targets: [],
  async open(servers, { short }) {
    const request = get('/basic/42', { Authorization: basic(user, password) });
    const row = sameFor(() => request, showsJson(thing('42')));
    const rowOf = (count) => {
      const files = { 'bench.htpasswd': passwordFile(count) };
      return row.other(named(OURS, count, 'users'), servers.platform('hosting', 'guarded', { files }));
    };
    return Promise.all((short ? [10] : [10, 1_000, 10_000, 100_000]).map(rowOf));
  },
};

/** @type {import('./workload.mjs').Workload} */
const nonces = {
  name: 'growth-nonces',
  title: 'Growth: Digest nonces in use',
  base: named(OURS, 128, 'nonces'),
  targets: [],
  async open(servers, { short }) {
    const rows = [];
    // One after the other: each client first obtains its nonces. Fewer nonces than connections would have counts that
    // overtake each other.
    for (const count of short ? [128] : [128, 1_024, 16_384]) {
      const row = (series, service) => digestRow(named(series, count, 'nonces'), service, count);
      rows.push(await row(OURS, servers.platform('hosting', 'guarded')));
      rows.push(await row('http-auth', servers.peer('peers/http-auth.mjs')));
    }
    return rows;
  },
};

/** @type {import('./workload.mjs').Workload} */
const rows = {
  name: 'growth-rows',
  title: 'Growth: rows of a table, SQLite',
  base: named('by key', 1_000, 'rows'),
  about: 'Shares are of the same requests with 1,000 rows.',
  targets: [],
  async open(servers, { short }) {
    const rowsOf = async (count) => {
      const { adapter, stop } = await productsWith(count);
      servers.atStop(stop);
      const environment = { BENCH_DATABASE: JSON.stringify(adapter) };
      const service = await servers.platform('hosting', 'products', { besides: ['database'], environment });
      const row = (series, next, check) => ({
        name: named(series, count, 'rows'),
        base: named(series, 1_000, 'rows'),
        service,
        next,
        check,
      });
      return [row('by key', keysOf(count), showsProduct), row('page of 25', pagesOf(), showsPage)];
    };
    const found = [];
    for (const count of short ? [1_000] : [1_000, 30_000, 1_000_000]) found.push(...(await rowsOf(count)));
    return found;
  },
};

const keysOf = (count) =>
  inTurn(Array.from({ length: 1000 }, (_, at) => get(`/products/${1 + ((at * 7919) % count)}`)));

const pagesOf = () =>
  inTurn(Array.from({ length: 900 }, (_, at) => get(`/products?price.gte=${at + 1}&sort=price`)));

const bodyOf = (answer) => {
  strictEqual(answer.status, 200);
  return JSON.parse(answer.body.toString());
};

const showsProduct = (answer) => {
  const found = bodyOf(answer);
  deepStrictEqual(found, product(found.id));
};

const showsPage = (answer) => strictEqual(bodyOf(answer).items.length, pageSize);

export default [connections, users, nonces, rows];
