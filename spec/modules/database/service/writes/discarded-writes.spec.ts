import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

/** Triggers that discard the changes of rows that are named "keep". */
const TRIGGERS = {
  sqlite: `CREATE TRIGGER keep_new BEFORE INSERT ON things WHEN new.name = 'keep' BEGIN SELECT RAISE(IGNORE); END;
    CREATE TRIGGER keep_old BEFORE UPDATE ON things WHEN old.name = 'kept' BEGIN SELECT RAISE(IGNORE); END;
    CREATE TRIGGER keep_all BEFORE DELETE ON things WHEN old.name = 'kept' BEGIN SELECT RAISE(IGNORE); END;`,
  postgres: `CREATE FUNCTION discard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER keep_new BEFORE INSERT ON things FOR EACH ROW WHEN (new.name = 'keep') EXECUTE FUNCTION discard();
    CREATE TRIGGER keep_old BEFORE UPDATE ON things FOR EACH ROW WHEN (old.name = 'kept') EXECUTE FUNCTION discard();
    CREATE TRIGGER keep_all BEFORE DELETE ON things FOR EACH ROW WHEN (old.name = 'kept') EXECUTE FUNCTION discard();`,
};

onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      modules: ['documentation'],
      script: `CREATE TABLE things (id VARCHAR(9) PRIMARY KEY, name TEXT NOT NULL, data JSON);
        INSERT INTO things VALUES ('1', 'kept', '{"a":1}'), ('2', 'free', NULL);
        ${TRIGGERS[dialect]}`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, name: {}, data: {} },
          filters: { name: ['eq'] },
          collection: { GET: {}, POST: {}, PUT: {}, PATCH: {}, DELETE: {} },
          entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
        },
      },
    });
  }, 60_000);

  /** Sends a request that changes nothing; returns the status, the code and the pointers. */
  async function failure(path: string, init: RequestInit): Promise<unknown> {
    const idsOf = async (): Promise<unknown> => (await bodyOf(await platform.request('/things'))).items;
    const before = await idsOf();
    const response = await platform.request(path, init);
    const { type, errors } = (await bodyOf(response)) as { type: string; errors?: { pointer: string }[] };
    expect(await idsOf()).toEqual(before);
    return [response.status, type.split('#')[1], ...(errors ?? []).map(({ pointer }) => pointer)];
  }

  const keep = (id: string) => ({ id, name: 'keep' });

  it.each<[title: string, method: string, path: string, body: unknown, pointers?: string[]]>([
    ['a new row', 'POST', '/things', keep('3')],
    [
      'a row of a list',
      'POST',
      '/things',
      [{ id: '3', name: 'a' }, keep('4'), { id: '5', name: 'b' }],
      ['/1'],
    ],
    [
      'a row of a list with different members',
      'POST',
      '/things',
      [{ id: '3', name: 'a', data: 1 }, keep('4')],
      ['/1'],
    ],
    ['a new row with its key', 'PUT', '/things/3', { name: 'keep' }],
    ['a row of a list with its key', 'PUT', '/things', [{ id: '3', name: 'a' }, keep('4')], ['/1']],
    ['a replaced row', 'PUT', '/things/1', { name: 'other' }],
    ['a replaced row of a list', 'PUT', '/things', [{ id: '1', name: 'other' }], ['/0']],
    ['a changed row', 'PATCH', '/things/1', { name: 'other' }],
    ['a changed JSON value', 'PATCH', '/things/1', { data: { b: 2 } }],
    [
      'a changed row of a list',
      'PATCH',
      '/things',
      [
        { id: '2', name: 'other' },
        { id: '1', name: 'other' },
      ],
      ['/1'],
    ],
  ])('%s that a trigger discards was not stored', async (_, method, path, body, pointers = []) => {
    expect(await failure(path, sendJson(body, method))).toEqual([422, 'not_stored', ...pointers]);
  });

  it('a new row that a trigger discards does not exist for a precondition', async () => {
    const create = (name: string) => sendJson({ name }, 'PUT', { 'If-None-Match': '*' });
    expect(await failure('/things/3', create('keep'))).toEqual([422, 'not_stored']);
    expect(await failure('/things/2', create('keep'))).toEqual([412, 'precondition_failed']);
  });

  it('a row that a trigger keeps was neither changed nor deleted', async () => {
    const tag = { 'If-Match': (await platform.request('/things/1')).headers.get('etag') ?? '' };
    expect(await failure('/things/1', sendJson({ name: 'other' }, 'PATCH', tag))).toEqual([
      422,
      'not_stored',
    ]);
    for (const headers of [{}, tag])
      expect(await failure('/things/1', { method: 'DELETE', headers })).toEqual([422, 'not_deleted']);
    expect(await failure('/things?name.eq=kept', { method: 'DELETE' })).toEqual([422, 'not_deleted']);
    // It selects another row too.
    expect(await failure('/things?id.in=1,2', { method: 'DELETE' })).toEqual([422, 'not_deleted']);
    expect((await platform.request('/things?name.eq=none', { method: 'DELETE' })).status).toBe(204);
  });

  it('a batch with a row that a trigger discards changes nothing', async () => {
    const operations = [{ id: '3', name: 'a' }, keep('4')].map((body) => ({
      method: 'POST',
      path: '/things',
      body,
    }));
    expect(await failure('/platform/batch', sendJson({ operations }))).toEqual([
      422,
      'not_stored',
      '/operations/1',
    ]);
  });
});
