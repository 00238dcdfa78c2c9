import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SqliteAdapter } from '../../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import type { TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/requests';
import { startTables } from '../../../../factories/table-databases';

const folder = mkdtempSync(path.join(tmpdir(), 'unreadable-'));
let platform: TestPlatform;

beforeAll(async () => {
  const file = path.join(folder, 'boxes.sqlite');
  const adapter = new SqliteAdapter({ file });
  await adapter.runScripts([
    `CREATE TABLE boxes (id INTEGER PRIMARY KEY, width INTEGER NOT NULL, height INTEGER NOT NULL,
      area INTEGER GENERATED ALWAYS AS (width * height) STORED)`,
  ]);
  await adapter.close();
  const services = {
    Box: {
      table_name: 'boxes',
      route: '/boxes[/:id]',
      columns: { id: {}, width: {}, height: {}, area: {} },
      collection: { GET: {}, POST: {} },
      entity: { GET: {}, PATCH: {}, DELETE: {} },
    },
  };
  platform = await startTables({ services }, { adapter: 'SqliteAdapter', options: { file } });
  expect((await platform.request('/boxes', sendJson({ width: 2, height: 3 }))).status).toBe(201);
}, 60_000);
afterAll(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

const HUGE = { width: 1e9, height: 1e8 };

// An integer beyond 2^53 cannot be read as a number.
it.each([
  ['a new row', '/boxes', 'POST', HUGE],
  ['a list of new rows', '/boxes', 'POST', [{ width: 1, height: 1 }, HUGE]],
  ['a change', '/boxes/1', 'PATCH', { width: 2 ** 53 - 1 }],
])('%s whose generated value cannot be read is not written', async (_, path, method, body) => {
  const before = await bodyOf(await platform.request('/boxes'));
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const failed = await platform.request(path, {
    method,
    headers: { 'Content-Type': type },
    body: JSON.stringify(body),
  });
  expect(failed.status).toBe(503);
  const after = await platform.request('/boxes');
  expect([after.status, await bodyOf(after)]).toEqual([200, before]);
  // Nothing holds a lock.
  const next = await platform.request('/boxes', sendJson({ width: 1, height: 1 }));
  expect(next.status).toBe(201);
  expect((await platform.request(next.headers.get('location') ?? '', { method: 'DELETE' })).status).toBe(204);
});
