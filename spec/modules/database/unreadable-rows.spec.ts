import { objectOf } from '../../../src/framework';
import { createSqliteTables } from '../../factories/created-tables';
import type { TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/requests';
import { startTables } from '../../factories/table-databases';

/** The detail of bytes in a column of texts, and that of a text in a column of JSON. */
const BYTES = { status: 500, detail: expect.stringContaining('cannot be returned exactly') as unknown };
const TEXT = { status: 503, detail: expect.stringContaining('does not match its database') as unknown };

const SCRIPT = `CREATE TABLE named (id INTEGER PRIMARY KEY, name TEXT, data JSON); INSERT INTO named VALUES (1, x'6162', '{}');
         CREATE TABLE stored (id INTEGER PRIMARY KEY, name TEXT, data JSON); INSERT INTO stored VALUES (1, 'a', 'text');`;

describe('a row of SQLite that other programs have written, and that cannot be returned', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const service = {
      columns: { id: {}, name: {}, data: {} },
      page_size: 5,
      collection: { GET: { stream: ['text/csv'] } },
      entity: { GET: {}, PUT: {}, PATCH: {} },
    };
    const procedure = { kind: 'procedure', adapter_name: 'db' };
    platform = await startTables(
      {
        services: {
          Named: { ...service, table_name: 'named', route: '/named[/:id]' },
          Stored: { ...service, table_name: 'stored', route: '/stored[/:id]' },
          Listed: { ...procedure, route: '/listed', sql: 'SELECT data FROM stored' },
          First: { ...procedure, route: '/first', sql: 'SELECT data FROM stored', result: 'value' },
        },
      },
      { adapter: 'SqliteAdapter', options: objectOf(createSqliteTables(SCRIPT).options) },
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
});
