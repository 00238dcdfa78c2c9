// A project with services over tables, and its server as a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The tables, in either dialect. */
export const TABLES = `
  CREATE TABLE counters (id INTEGER PRIMARY KEY, value INTEGER NOT NULL, revision INTEGER NOT NULL DEFAULT 1);
  CREATE TABLE entries (id VARCHAR(40) PRIMARY KEY, part INTEGER NOT NULL);
  INSERT INTO counters (id, value) VALUES (1, 0), (2, 0), (3, 0);`;

const service = (table, route, more) => ({
  kind: 'table',
  adapter_name: 'db',
  table_name: table,
  route: `/${route}[/:id]`,
  route_identifier_name: 'id',
  collection: { GET: {}, POST: {} },
  entity: { GET: {}, PATCH: {}, DELETE: {} },
  ...more,
});

/** Creates a project whose services use an adapter. */
export function makeProject(folder, adapter) {
  const columns = { id: {}, value: {} };
  const services = {
    Hashed: service('counters', 'hashed', { columns }),
    Revised: service('counters', 'revised', { columns, revision: 'revision' }),
    ...(adapter.adapter === 'PostgresAdapter'
      ? { Row: service('counters', 'xmin', { columns, revision: 'xmin' }) }
      : {}),
    Entry: service('entries', 'entries', { columns: { id: {}, part: {} }, page_size: 100 }),
  };
  const local = {
    'platform-db': { adapters: { db: adapter } },
    'platform-hosting': { apis: { Counted: { versions: { 1: { services } } } } },
  };
  mkdirSync(path.join(folder, 'config', 'autoload'), { recursive: true });
  writeFileSync(path.join(folder, 'config', 'application.json'), '{ "modules": ["database"] }');
  writeFileSync(path.join(folder, 'config', 'autoload', 'local.json'), JSON.stringify(local));
}

/** Starts the server of a project, and waits until it listens. */
export async function startServer(folder) {
  const child = spawn(process.execPath, [path.join(root, 'dist/index.js'), '--root', folder], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const origin = await new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      const found = /(http:\/\/127\.0\.0\.1:\d+)/.exec(output);
      if (found) resolve(found[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The server did not start: ${output}`)));
  });
  return {
    origin,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}

/** Sends a request. @returns status, body and some headers; undefined if the server ended before the response */
export async function send(origin, method, path, body, headers = {}) {
  try {
    const response = await fetch(origin + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      tag: response.headers.get('etag'),
      retryAfter: response.headers.get('retry-after'),
    };
  } catch {
    return undefined;
  }
}
