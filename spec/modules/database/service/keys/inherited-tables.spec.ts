import type { TestPlatform } from '../../../../factories/platform';
import { PostgresServer } from '../../../../factories/database/postgres';
import { withPrograms } from '../../../../factories/processes/programs';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { startTables } from '../../../../factories/database/table-databases';
import { START_TIMEOUT_MS } from '../../../../factories/test-timeout';

const { describe, it } = withPrograms('postgres');

/** The key 1 is in all tables, 2 in both that inherit, 3 in the last one only. */
const SCRIPT = `DROP SCHEMA IF EXISTS "own.data" CASCADE; CREATE SCHEMA "own.data";
  CREATE TABLE "own.data".cities (id INTEGER PRIMARY KEY, name TEXT, owner TEXT NOT NULL DEFAULT 'all');
  CREATE TABLE "own.data".capitals (state TEXT, UNIQUE (id)) INHERITS ("own.data".cities);
  CREATE TABLE "own.data".ports (UNIQUE (id)) INHERITS ("own.data".cities);
  INSERT INTO "own.data".cities VALUES (1, 'city');
  INSERT INTO "own.data".capitals (id, name) VALUES (1, 'capital'), (2, 'capital');
  INSERT INTO "own.data".ports (id, name, owner) VALUES (1, 'port', 'ports'), (2, 'port', 'ports'), (3, 'port', 'ports');`;

describe('a table that other tables inherit', () => {
  let server: PostgresServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([SCRIPT]);
    const city = {
      table_name: '"own.data".cities',
      columns: { id: {}, name: {} },
      collection: { GET: {} },
      entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
    };
    platform = await startTables(
      {
        services: {
          City: { ...city, route: '/cities[/:id]' },
          Port: { ...city, route: '/ports[/:id]', rows: { owner: 'ports' } },
        },
      },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );
  }, START_TIMEOUT_MS);
  beforeEach(() => server.adapter().runScripts([SCRIPT]));
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  const names = async (): Promise<readonly unknown[]> => {
    const text = 'SELECT id, name FROM "own.data".cities ORDER BY id, name';
    const rows = await server.adapter().execute({ text, kind: 'read' }, []);
    return rows.map(({ id, name }) => `${String(id)} ${String(name)}`);
  };
  const status = async (path: string, init: RequestInit = {}): Promise<number> =>
    (await platform.request(path, init)).status;

  it.each([
    ['/cities/1', 'city', ['1 capital', '1 new', '1 port', '2 capital', '2 port', '3 port']],
    ['/cities/2', 'capital', ['1 capital', '1 city', '1 port', '2 new', '2 port', '3 port']],
    ['/cities/3', 'port', ['1 capital', '1 city', '1 port', '2 capital', '2 port', '3 new']],
    ['/ports/1', 'port', ['1 capital', '1 city', '1 new', '2 capital', '2 port', '3 port']],
  ])('a change concerns the row that a request reads: %s', async (path, name, changed) => {
    for (const method of ['PATCH', 'PUT']) {
      const read = await platform.request(path);
      expect((await bodyOf(read)).name).toBe(name);
      const body = sendJson({ name: 'new' }, method, { 'If-Match': read.headers.get('etag') ?? '' });
      expect(await status(path, body)).toBe(200);
      expect(await names()).toEqual(changed);
      await server.adapter().runScripts([SCRIPT]);
    }
    expect(await status(path, { method: 'DELETE' })).toBe(204);
    expect(await names()).toEqual(changed.filter((row) => !row.endsWith('new')));
  });

  it('is none that has partitions, and none that inherits', async () => {
    await server
      .adapter()
      .runScripts([
        'CREATE TABLE days (id INTEGER PRIMARY KEY) PARTITION BY RANGE (id)',
        'CREATE TABLE days_1 PARTITION OF days FOR VALUES FROM (1) TO (9)',
      ]);
    const { tables } = await server.adapter().introspect();
    const inherited = Object.values(tables).filter(({ isInherited }) => isInherited === true);
    expect(inherited.map(({ name }) => name)).toEqual(['"own.data".cities']);
    expect(Object.keys(tables)).toContain('days');
  });

  it('lists have the rows of all tables', async () => {
    const { items } = await bodyOf(await platform.request('/cities?page_size=100'));
    expect(items).toHaveLength(6);
  });

  it('an identifier that no table has is not found', async () => {
    expect(await status('/cities/4')).toBe(404);
    expect(await status('/cities/4', { method: 'DELETE' })).toBe(404);
  });
});
