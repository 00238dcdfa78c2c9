import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE notes (id INTEGER PRIMARY KEY, content JSON NOT NULL, extra JSON, shape JSON NOT NULL DEFAULT '{}');
        INSERT INTO notes VALUES (1, 'null', 'null', '{}')`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, content: {}, extra: {}, shape: { schema: { type: 'object' } } },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
      },
    });
  }, 60_000);
  const stored = async (id: unknown): Promise<unknown> => {
    const text = `SELECT CAST(content AS TEXT) AS content, CAST(extra AS TEXT) AS extra FROM notes WHERE id = ${String(id)}`;
    const [row] = await platform.database.execute({ text, kind: 'read' }, []);
    return row;
  };
  const send = async (path: string, body: unknown, method = 'POST'): Promise<[number, unknown]> => {
    const response = await platform.request(path, sendJson(body, method));
    return [response.status, await bodyOf(response)];
  };

  it('an entity whose JSON value is null can be sent as it was received', async () => {
    const entity = await bodyOf(await platform.request('/notes/1'));
    expect(entity).toEqual({ id: 1, content: null, extra: null, shape: {} });
    for (const method of ['PUT', 'PATCH']) {
      expect(await send('/notes/1', entity, method)).toEqual([200, entity]);
      expect(await stored(1)).toEqual({ content: 'null', extra: null });
    }
  });

  it('null is that of JSON in a column that is NOT NULL', async () => {
    const note = { content: null, extra: null };
    for (const [id, body] of [
      [2, { id: 2, ...note }],
      [3, [{ id: 3, ...note }]],
    ] as const) {
      const [status, made] = await send('/notes', body);
      expect([status, JSON.stringify(made)]).toEqual([
        201,
        expect.stringContaining('"content":null,"extra":null'),
      ]);
      expect(await stored(id)).toEqual({ content: 'null', extra: null });
    }
  });

  it('null replaces another value, and a patch replaces null', async () => {
    for (const content of [{ a: 1 }, null, [1], null]) {
      const [status, entity] = await send('/notes/1', { content }, 'PATCH');
      expect([status, entity]).toMatchObject([200, { content }]);
    }
  });

  it('a column whose values are described has no null, and a missing member is none', async () => {
    for (const [method, path, body, pointer] of [
      ['POST', '/notes', { id: 4, content: 1, shape: null }, '/shape'],
      ['PUT', '/notes/1', { content: 1, shape: null }, '/shape'],
      ['PATCH', '/notes/1', { shape: null }, '/shape'],
      ['POST', '/notes', { id: 4 }, '/content'],
      ['PUT', '/notes/1', { extra: 1 }, '/content'],
    ] as const)
      expect(await send(path, body, method)).toMatchObject([422, { errors: [{ pointer }] }]);
  });
});
