import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import type { SqlExecutor } from '../../../../../src/modules/database/adapters/database-adapter';
import { SqliteAdapter } from '../../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import type { TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { otherConnection, reading, SqliteFiles, writing } from '../../../../factories/database/sqlite';
import { startTables } from '../../../../factories/database/table-databases';

const files = new SqliteFiles();
afterAll(() => files.close());

const folder = mkdtempSync(path.join(tmpdir(), 'unreadable-'));
let platform: TestPlatform;
let database: SqliteAdapter;

beforeAll(async () => {
  const file = path.join(folder, 'boxes.sqlite');
  database = new SqliteAdapter({ file });
  await database.runScripts([
    `CREATE TABLE boxes (id INTEGER PRIMARY KEY, width INTEGER NOT NULL, height INTEGER NOT NULL,
      area INTEGER GENERATED ALWAYS AS (width * height) STORED);
    CREATE TABLE labels (id INTEGER PRIMARY KEY, box_id INTEGER REFERENCES boxes (id));`,
  ]);
  const services = {
    Box: {
      table_name: 'boxes',
      route: '/boxes[/:id]',
      columns: { id: {}, width: {}, height: {}, area: {} },
      collection: { GET: {}, POST: {} },
      entity: { GET: {}, PATCH: {}, DELETE: {} },
    },
    Label: {
      table_name: 'labels',
      route: '/labels[/:id]',
      columns: { id: {}, box_id: { embed: { columns: ['area'] } } },
      entity: { GET: {} },
    },
    Area: {
      kind: 'procedure',
      route: '/area',
      sql: 'select max(area) as area from boxes',
      result: 'value',
    },
  };
  platform = await startTables(
    { services, modules: ['documentation'] },
    { adapter: 'SqliteAdapter', options: { file } },
  );
  expect((await platform.request('/boxes', sendJson({ width: 2, height: 3 }))).status).toBe(201);
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await database.close();
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
  expect(failed.status).toBe(500);
  const after = await platform.request('/boxes');
  expect([after.status, await bodyOf(after)]).toEqual([200, before]);
  // Nothing holds a lock.
  const next = await platform.request('/boxes', sendJson({ width: 1, height: 1 }));
  expect(next.status).toBe(201);
  expect((await platform.request(next.headers.get('location') ?? '', { method: 'DELETE' })).status).toBe(204);
});

describe('a stored integer beyond 2^53', () => {
  beforeAll(() =>
    database.runScripts(['INSERT INTO boxes (id, width, height) VALUES (77, 1000000000, 100000000)']),
  );
  afterAll(() => database.runScripts(['DELETE FROM boxes WHERE id = 77']));

  it.each([
    ['a list', '/boxes'],
    ['an entity', '/boxes/77'],
    ['a procedure', '/area'],
  ])('is an error of its own in %s, and the log names its column', async (_, path) => {
    const response = await platform.request(path);
    const { type, detail } = await bodyOf(response);
    expect([response.status, type, response.headers.get('retry-after')]).toEqual([
      500,
      expect.stringMatching(/#unreadable_value$/),
      null,
    ]);
    expect(detail).toBe(
      'The result has a value that cannot be returned exactly, such as an integer beyond 2^53. The request cannot succeed until an administrator has corrected that.',
    );
    expect(inspect(platform.log.lines, { depth: 9 })).toContain(
      'number: 100000000000000000, in the column "area"',
    );
  });

  it('is the same error where it is embedded', async () => {
    await database.runScripts(['INSERT INTO labels VALUES (1, 77)']);
    const response = await platform.request('/labels/1?embed=box');
    await database.runScripts(['DELETE FROM labels']);
    expect([response.status, (await bodyOf(response)).type, response.headers.get('retry-after')]).toEqual([
      500,
      expect.stringMatching(/#unreadable_value$/),
      null,
    ]);
    expect(inspect(platform.log.lines, { depth: 9 })).toContain(
      'An integer of the column area is beyond 2^53',
    );
  });
});

it('a page that failed does not fail the next one with the same statement', () => {
  const page = {
    text: "SELECT json(CASE ? WHEN 1 THEN '[]' ELSE 'malformed' END) AS list",
    kind: 'read',
    isPage: true,
  } as const;
  expect(() => database.execute(page, [2])).toThrow('malformed JSON');
  expect(database.execute(page, [1])).toEqual([{ list: '[]' }]);
});

it.each([
  ['a page', 300, 'id, maker + 0 AS number', 'page'],
  ['a page with all columns', 300, '*, maker + 0 AS number', 'page'],
  ['a part of a page', 300, 'id, maker + 0 AS number', 'part'],
  ['a page in a thread', 5000, 'id, maker + 0 AS number', 'page'],
  ['a list in a thread', 5000, 'id, maker + 0 AS number', 'list'],
  ['a list with all columns in a thread', 5000, '*, maker + 0 AS number', 'list'],
])('%s that could not be read leaves no old state of the database open', async (_, size, selected, kind) => {
  const adapter = await files.shop(size);
  await adapter.runScripts(['UPDATE products SET maker = 9007199254740993 WHERE id = 2']);
  const text = `SELECT ${selected} FROM products WHERE price + 0 >= 0 LIMIT ?`;
  const parts = kind === 'part' ? { parts: [{ text, parameters: 1 }] } : {};
  const read = async (executor: SqlExecutor): Promise<unknown> =>
    executor.execute({ text, kind: 'read', isPage: kind !== 'list', ...parts }, [size]);
  const free = writing(
    'UPDATE products SET price = 0 WHERE id = (SELECT max(id) FROM products WHERE price > 0)',
  );
  const other = otherConnection(adapter);
  // The thread of a transaction rolls back after the error was thrown.
  other.exec('PRAGMA busy_timeout = 5000');
  try {
    for (const action of [() => read(adapter), () => adapter.transaction(read)]) {
      await expect(action()).rejects.toMatchObject({ kind: 'unreadable' });
      other.exec(free.text);
      // Copies the log into the database only if nobody reads an earlier state.
      expect(other.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
    }
    await adapter.execute(free, []);
    await adapter.transaction(async (executor) => executor.execute(free, []));
    const found = await adapter.execute(reading('SELECT id FROM products WHERE price + 0 = 0'), []);
    expect(found).toHaveLength(4);
  } finally {
    other.close();
  }
});
