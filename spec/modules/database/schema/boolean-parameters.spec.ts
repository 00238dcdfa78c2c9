import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  const yes = dialect === 'sqlite' ? '1' : 'true';
  const no = dialect === 'sqlite' ? '0' : 'false';
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE notes (id VARCHAR(9) PRIMARY KEY, is_open BOOLEAN NOT NULL, name TEXT NOT NULL);
        CREATE TABLE modes (is_on BOOLEAN NOT NULL PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO notes VALUES ('1', ${yes}, 'a'), ('2', ${no}, 'b');`,
      services: {
        Note: {
          table_name: 'notes',
          route: '/open/:is_open/notes[/:id]',
          columns: { id: {}, is_open: {}, name: {} },
          filters: { name: ['eq'] },
          collection: { GET: { sort: ['id'] }, POST: {}, DELETE: {} },
          entity: { GET: {}, PATCH: {}, DELETE: {} },
        },
        Stored: {
          table_name: 'notes',
          route: '/stored[/:id]',
          columns: { id: {}, is_open: {}, name: {} },
          filters: { name: ['eq'] },
          collection: { GET: { sort: ['id'] } },
        },
        Mode: {
          table_name: 'modes',
          route: '/modes[/:is_on]',
          route_identifier_name: 'is_on',
          columns: { is_on: {}, name: {} },
          filters: { name: ['eq'] },
          collection: { GET: {}, POST: {}, PUT: {}, PATCH: {}, DELETE: {} },
          entity: { GET: {}, PUT: {}, PATCH: {}, DELETE: {} },
        },
      },
    });
  }, 60_000);

  const send = async (path: string, method = 'GET', body?: unknown) => {
    const init = body === undefined ? { method } : sendJson(body, method);
    const response = await platform.request(path, init);
    const isEmpty = response.status === 204;
    return { status: response.status, response, body: isEmpty ? undefined : await bodyOf(response) };
  };

  it('a stored value that SQLite takes for true is true', async () => {
    if (dialect !== 'sqlite') return;
    await platform.database.runScripts([
      `INSERT INTO notes VALUES ('a', -1, 'stored'), ('b', 2, 'stored'), ('c', 'true', 'stored'), ('d', 'false', 'stored'), ('e', 0.5, 'stored')`,
    ]);
    const { body } = await send('/stored?sort=id&name.eq=stored');
    expect((body?.items as { is_open: boolean }[]).map((one) => one.is_open)).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    await platform.database.runScripts(["DELETE FROM notes WHERE name = 'stored'"]);
  });

  it('a route parameter of a boolean column finds and stores true and false', async () => {
    for (const [text, id, otherId] of [
      ['true', '1', '2'],
      ['false', '2', '1'],
    ] as const) {
      const path = `/open/${text}/notes`;
      expect((await send(path)).body?.items).toMatchObject([{ id, is_open: text === 'true' }]);
      expect((await send(`${path}/${otherId}`)).status).toBe(404);
      expect((await send(`${path}/${id}`, 'PATCH', { name: 'c' })).status).toBe(200);
      const note = { id: `${id}0`, name: 'new' };
      const made = await send(path, 'POST', note);
      expect([made.status, made.body]).toEqual([201, { ...note, is_open: text === 'true' }]);
      expect(made.response.headers.get('location')).toBe(`${path}/${id}0`);
      const other = await send(path, 'POST', { id: `${id}1`, name: 'x', is_open: text !== 'true' });
      expect([other.status, other.body?.errors]).toMatchObject([422, [{ pointer: '/is_open' }]]);
      expect((await send(`${path}?name.eq=new`, 'DELETE')).status).toBe(204);
      expect((await send(path)).body?.items).toHaveLength(1);
    }
  });

  it('any other text finds nothing', async () => {
    for (const text of ['1', 'TRUE', 'yes', 't', 'null']) {
      expect((await send(`/open/${text}/notes/1`)).status).toBe(404);
      expect((await send(`/modes/${text}`)).status).toBe(404);
    }
  });

  it('a boolean key is one', async () => {
    const made = await send('/modes', 'POST', { is_on: true, name: 'a' });
    expect([made.status, made.response.headers.get('location')]).toEqual([201, '/modes/true']);
    expect((await send('/modes/true', 'PUT', { is_on: true, name: 'b' })).body).toEqual({
      is_on: true,
      name: 'b',
    });
    expect((await send('/modes/true', 'PUT', { is_on: false, name: 'b' })).status).toBe(422);
    expect((await send('/modes', 'PUT', [{ is_on: false, name: 'b' }])).body).toEqual({
      0: { is_on: false, name: 'b' },
    });
    expect((await send('/modes', 'PATCH', [{ is_on: false, name: 'c' }])).body).toEqual({
      0: { is_on: false, name: 'c' },
    });
    expect((await send('/modes/false')).body).toEqual({ is_on: false, name: 'c' });
    expect((await send('/modes?name.eq=c', 'DELETE')).status).toBe(204);
    expect((await send('/modes')).body?.items).toEqual([{ is_on: true, name: 'b' }]);
  });
});
