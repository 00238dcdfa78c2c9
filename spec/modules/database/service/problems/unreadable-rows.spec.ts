import { objectOf } from '../../../../../src/framework';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { createSqliteTables } from '../../../../factories/database/created-tables';
import type { TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { startTables } from '../../../../factories/database/table-databases';

/** The detail of bytes in a column of texts, and that of a text in a column of JSON. */
const BYTES = { status: 500, detail: expect.stringContaining('cannot be returned exactly') as unknown };
const TEXT = { status: 503, detail: expect.stringContaining('does not match its database') as unknown };

const SCRIPT = `CREATE TABLE named (id INTEGER PRIMARY KEY, name TEXT, data JSON); INSERT INTO named VALUES (1, x'6162', '{}');
         CREATE TABLE stored (id INTEGER PRIMARY KEY, name TEXT, data JSON); INSERT INTO stored VALUES (1, 'a', 'text');
         CREATE TABLE counts (n INTEGER);
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO counts SELECT i FROM n;
         CREATE TABLE scanning (id INTEGER PRIMARY KEY, name TEXT, data JSON); INSERT INTO scanning VALUES (1, x'6162', '{}');
         CREATE TRIGGER scan AFTER UPDATE ON scanning BEGIN UPDATE counts SET n = n + 1; END;
         CREATE TABLE altered (id INTEGER PRIMARY KEY, name TEXT, data JSON); INSERT INTO altered VALUES (1, 'a', '{}');
         CREATE TRIGGER alter_name AFTER UPDATE ON altered WHEN new.name IS NOT NULL
           BEGIN UPDATE altered SET name = x'6162' WHERE id = new.id; END;
         CREATE TABLE filled (id INTEGER PRIMARY KEY, name TEXT, data JSON, extra TEXT DEFAULT x'6162');`;

describe('a row of SQLite that other programs have written, and that cannot be returned', () => {
  let platform: TestPlatform;
  const options = objectOf(createSqliteTables(SCRIPT).options);
  beforeAll(async () => {
    const service = {
      columns: { id: {}, name: {}, data: {} },
      page_size: 5,
      collection: { GET: { stream: ['text/csv'] }, POST: {} },
      entity: { GET: {}, PUT: {}, PATCH: {} },
    };
    const procedure = { kind: 'procedure', adapter_name: 'db' };
    platform = await startTables(
      {
        services: {
          Named: { ...service, table_name: 'named', route: '/named[/:id]' },
          Stored: { ...service, table_name: 'stored', route: '/stored[/:id]' },
          Scanning: { ...service, table_name: 'scanning', route: '/scanning[/:id]' },
          Altered: { ...service, table_name: 'altered', route: '/altered[/:id]' },
          Filled: {
            ...service,
            table_name: 'filled',
            route: '/filled[/:id]',
            columns: { ...service.columns, extra: {} },
          },
          Listed: { ...procedure, route: '/listed', sql: 'SELECT data FROM stored' },
          First: { ...procedure, route: '/first', sql: 'SELECT data FROM stored', result: 'value' },
        },
      },
      { adapter: 'SqliteAdapter', options },
    );
  }, 60_000);
  afterAll(() => platform.stop());

  it.each<[method: string, path: string, body: object | undefined, expected: object, accept?: string]>([
    ['GET', '/named/1', undefined, BYTES],
    ['PATCH', '/named/1', { data: 1 }, BYTES],
    ['PATCH', '/named/1', { data: { a: 1 } }, BYTES],
    ['GET', '/named', undefined, BYTES, 'text/csv'],
    ['GET', '/stored/1', undefined, TEXT],
    ['PATCH', '/stored/1', { name: 'b' }, TEXT],
    ['PATCH', '/stored/1', { data: { a: 1 } }, TEXT],
    ['GET', '/stored', undefined, TEXT, 'text/csv'],
    ['GET', '/listed', undefined, TEXT],
    ['GET', '/first', undefined, TEXT],
  ])('is the same error in each response: %s %s', async (method, path, body, expected, accept = '*/*') => {
    const headers = { Accept: accept };
    const init = body === undefined ? { method, headers } : sendJson(body, method, headers);
    expect(await bodyOf(await platform.request(path, init))).toMatchObject(expected);
  });

  const stored = (table: string): readonly unknown[] => {
    const database = openDatabase(options.file as string);
    const rows = database.prepare(`SELECT name, data FROM ${table}`).all();
    database.close();
    return rows.map((row) => ({ ...(row as object) }));
  };

  it.each<[method: string, path: string, body: object, expected: object]>([
    ['PATCH', '/named/1', { data: 2 }, BYTES],
    ['PATCH', '/stored/1', { name: 'c' }, TEXT],
    ['PUT', '/stored/1', { name: 'c', data: null }, { status: 200 }],
    // In a thread, and in a transaction with a trigger.
    ['PATCH', '/scanning/1', { data: 2 }, BYTES],
    ['PATCH', '/altered/1', { name: 'b' }, BYTES],
    ['POST', '/filled', { name: 'b' }, BYTES],
    ['POST', '/filled', [{ name: 'b' }], BYTES],
  ])(
    'is not changed by a request that is reported as failed: %s %s',
    async (method, path, body, expected) => {
      const table = path.split('/')[1] ?? '';
      const before = stored(table);
      const response = await platform.request(path, sendJson(body, method));
      expect({ ...(await bodyOf(response)), status: response.status }).toMatchObject(expected);
      if (response.status === 200) expect(stored(table)).not.toEqual(before);
      else expect(stored(table)).toEqual(before);
    },
  );
});
