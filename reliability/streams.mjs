// Streams a large table as NDJSON and CSV from each database: memory must stay flat, also for a client that stops
// reading, and other clients must be served meanwhile. Exits with 1 otherwise.
//
// node reliability/streams.mjs [ROWS [sqlite|postgres]]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postgresFolder, startPostgres } from '../scripts/postgres.mjs';

const root = path.resolve(import.meta.dirname, '..');
const load = createRequire(import.meta.url);

/** Mebibytes above a server that has streamed before. */
const MAX_MEMORY = 50;

/** Rows of a stream before the measurement: few, so that a server that held all rows of a stream would be found. */
const WARM_UP_ROWS = 2_000;

const [word = '1000000', only] = process.argv.slice(2);
const rows = Number(word);
if (!Number.isSafeInteger(rows) || rows < 1) {
  process.stderr.write(
    `"${word}" is not a number of rows. Usage: node reliability/streams.mjs [ROWS [sqlite|postgres]]\n`,
  );
  process.exit(2);
}

const TABLE =
  'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, note TEXT)';
const FILL = `INSERT INTO things WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
  SELECT i, 'thing ' || i, i % 1000, CASE i % 3 WHEN 0 THEN NULL ELSE 'some "quoted", text' END FROM n`;

/** @returns {Promise<{ name: string, adapter: object, stop: () => Promise<void> }>} */
async function sqlite(folder) {
  const file = path.join(folder, 'things.sqlite');
  const { openDatabase } = load('../dist/modules/database/adapters/sqlite/sqlite-driver.js');
  const database = openDatabase(file);
  database.exec(`${TABLE}; ${FILL}`);
  database.close();
  return { name: 'SQLite', adapter: { adapter: 'SqliteAdapter', options: { file } }, stop: async () => {} };
}

async function postgres() {
  const { url, stop } = await startPostgres({ fsync: 'off' });
  const client = new (load('pg').Client)({ connectionString: url });
  await client.connect();
  for (const text of [TABLE, FILL, 'ANALYZE things']) await client.query(text);
  await client.end();
  return { name: 'PostgreSQL', adapter: { adapter: 'PostgresAdapter', options: { url } }, stop };
}

function writeProject(folder, adapter) {
  const Thing = {
    kind: 'table',
    adapter_name: 'data',
    table_name: 'things',
    route: '/things[/:id]',
    route_identifier_name: 'id',
    columns: { id: {}, name: {}, price: {}, note: {} },
    filters: { id: ['gte'] },
    collection: { GET: { stream: ['application/x-ndjson', 'text/csv'] } },
    entity: { GET: {} },
  };
  const files = {
    'application.json': { modules: ['documentation', 'database'] },
    'autoload/local.json': {
      'platform-db': {
        adapters: { data: { ...adapter, options: { ...adapter.options, stream_timeout: 3600 } } },
      },
      'platform-hosting': { apis: { Data: { versions: { 1: { services: { Thing } } } } } },
    },
  };
  mkdirSync(path.join(folder, 'config/autoload'), { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, 'config', name), JSON.stringify(content));
}

async function startServer(folder) {
  const child = spawn(process.execPath, [path.join(root, 'dist/index.js'), '--root', folder], {
    env: { PATH: process.env.PATH, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    const origin = /(http:\/\/\S+?:\d+)\S*\/platform\/documentation/.exec(output)?.[1];
    if (origin !== undefined) return { child, origin };
  }
  throw new Error(`The server did not start: ${output}`);
}

/** Mebibytes that a process holds. */
function memoryOf({ pid }) {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** @param body of a POST; undefined for a GET */
async function respond(origin, pathname, accept, body) {
  const headers = { Accept: accept, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const method = body === undefined ? 'GET' : 'POST';
  const [response] = await once(
    request(`${origin}${pathname}`, { method, headers, agent: false }).end(body),
    'response',
  );
  if (response.statusCode !== 200) throw new Error(`${pathname} responded ${response.statusCode}.`);
  return response;
}

/** Measures the server while something runs: its memory, and how long another client waits. */
async function measured(server, action) {
  let [peak, longest, isOver] = [0, 0, false];
  const sampling = (async () => {
    while (!isOver) {
      const begin = performance.now();
      await (await respond(server.origin, '/things/1', 'application/json')).resume();
      longest = Math.max(longest, performance.now() - begin);
      peak = Math.max(peak, memoryOf(server.child));
      await delay(20);
    }
  })();
  const begin = performance.now();
  const result = await action();
  const seconds = (performance.now() - begin) / 1000;
  isOver = true;
  await sampling;
  return { result, peak, longest, seconds };
}

async function countLines(response) {
  let lines = 0;
  for await (const chunk of response) for (const byte of chunk) if (byte === 10) lines++;
  return lines;
}

/** The first streams start a thread, fill the young generation of V8 and get their code compiled. */
async function warmUp({ origin }) {
  const query = JSON.stringify({ filter: { id: { gte: Math.max(1, rows - WARM_UP_ROWS + 1) } } });
  for (let round = 0; round < 100; round++)
    for (const type of ['application/x-ndjson', 'text/csv'])
      await countLines(await respond(origin, '/things/query', type, query));
}

async function check(database, folder) {
  writeProject(folder, database.adapter);
  const server = await startServer(folder);
  const failures = [];
  try {
    await (await respond(server.origin, '/things/1', 'application/json')).resume();
    await delay(1000);
    const idle = memoryOf(server.child);
    await warmUp(server);
    const warm = memoryOf(server.child);
    process.stdout.write(
      `${database.name}, warm: ${Math.round(warm - idle)} MB above ${Math.round(idle)} MB when idle\n`,
    );
    const report = (what, { peak, longest, seconds }, failed) => {
      const memory = Math.round(peak - warm);
      process.stdout.write(
        `${database.name}, ${what}: ${memory} MB above ${Math.round(warm)} MB, ${seconds.toFixed(1)} s, ` +
          `others waited ${Math.round(longest)} ms at most\n`,
      );
      if (memory >= MAX_MEMORY || failed) failures.push(`${database.name}, ${what}`);
    };
    const query = JSON.stringify({ filter: { id: { gte: 1 } } });
    for (const [type, header, pathname, body] of [
      ['application/x-ndjson', 0, '/things'],
      ['text/csv', 1, '/things'],
      ['application/x-ndjson', 0, '/things/query', query],
      ['text/csv', 1, '/things/query', query],
    ]) {
      const one = await measured(server, async () =>
        countLines(await respond(server.origin, pathname, type, body)),
      );
      report(`${one.result - header} rows of ${pathname} as ${type}`, one, one.result !== rows + header);
    }
    const stalled = await measured(server, async () => {
      const response = await respond(server.origin, '/things', 'application/x-ndjson');
      await delay(2000);
      response.destroy();
    });
    report('a client that stops reading', stalled, false);
  } finally {
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
    await database.stop();
  }
  return failures;
}

function isInstalled() {
  if (postgresFolder() !== undefined) return true;
  process.stdout.write('PostgreSQL is not installed, and was left out: apt-get install postgresql\n');
  return false;
}

const folder = mkdtempSync(path.join(tmpdir(), 'streams-'));
const failures = [];
try {
  if (only !== 'postgres') failures.push(...(await check(await sqlite(folder), path.join(folder, 'sqlite'))));
  if (only !== 'sqlite' && isInstalled())
    failures.push(...(await check(await postgres(), path.join(folder, 'postgres'))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`streams that failed or exceeded ${MAX_MEMORY} MB: ${failures.length}\n`);
if (failures.length > 0) process.exitCode = 1;
