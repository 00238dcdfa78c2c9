import { bodyOf, sendJson } from '../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

/** Columns with the names of members of every object. */
onEachDatabase(({ it, dialect, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE results (
          id VARCHAR(9) PRIMARY KEY, title TEXT NOT NULL, "constructor" TEXT, "toString" TEXT DEFAULT 'none', "valueOf" INTEGER
        );
        CREATE TABLE teams ("constructor" VARCHAR(9) PRIMARY KEY, title TEXT NOT NULL);
        INSERT INTO teams VALUES ('one', 'Lotus');
        ${dialect === 'postgres' ? FUNCTION : ''}`,
      services: {
        Result: {
          table_name: 'results',
          route: '/results[/:id]',
          columns: { id: {}, title: {}, constructor: {}, toString: {}, valueOf: {} },
          filters: { constructor: ['eq'] },
          collection: { GET: { sort: ['constructor'] }, POST: {}, PUT: {}, PATCH: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
        Team: {
          table_name: 'teams',
          route: '/teams[/:constructor]',
          route_identifier_name: 'constructor',
          columns: { constructor: {}, title: {} },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PATCH: {} },
        },
        ...(dialect === 'postgres'
          ? { Joined: { kind: 'procedure', route: '/joined', function_name: 'joined' } }
          : {}),
      },
    });
  }, 60_000);
  beforeEach(async () => {
    await platform.database.runScripts([
      `DELETE FROM results; INSERT INTO results VALUES ('1', 'Spa', 'Lotus', 'text', 7);`,
    ]);
  });

  const send = async (path: string, body: unknown, method: string): Promise<unknown> => {
    const answer = await platform.request(path, sendJson(body, method));
    const content: unknown = await answer.json();
    return [answer.status, content];
  };
  const spa = { id: '1', title: 'Spa', constructor: 'Lotus', toString: 'text', valueOf: 7 };
  const absent = { constructor: null, toString: 'none', valueOf: null };

  it('keep their values in a PATCH without them', async () => {
    expect(await send('/results/1', { title: 'Monza' }, 'PATCH')).toEqual([200, { ...spa, title: 'Monza' }]);
    expect(await send('/results/1', { constructor: 'Ferrari' }, 'PATCH')).toEqual([
      200,
      { ...spa, title: 'Monza', constructor: 'Ferrari' },
    ]);
    expect(await send('/results', [{ id: '1', title: 'Imola' }], 'PATCH')).toEqual([
      200,
      [{ ...spa, title: 'Imola', constructor: 'Ferrari' }],
    ]);
  });

  it('have their defaults in a POST and a PUT without them', async () => {
    expect(await send('/results', { id: '2', title: 'Monza' }, 'POST')).toEqual([
      201,
      { id: '2', title: 'Monza', ...absent },
    ]);
    expect(await send('/results', [{ id: '3', title: 'Imola' }], 'POST')).toEqual([
      201,
      [{ id: '3', title: 'Imola', ...absent }],
    ]);
    expect(await send('/results/1', { title: 'Spa' }, 'PUT')).toEqual([
      200,
      { id: '1', title: 'Spa', ...absent },
    ]);
    expect(await send('/results', [{ id: '1', title: 'Ascari' }], 'PUT')).toEqual([
      200,
      [{ id: '1', title: 'Ascari', ...absent }],
    ]);
  });

  it('are filters and orders', async () => {
    const list = await bodyOf(await platform.request('/results?constructor.eq=Lotus&sort=-constructor'));
    expect(list).toMatchObject({ items: [spa] });
  });

  it('are keys, and the parameters of a route', async () => {
    expect((await bodyOf(await platform.request('/teams'))).items).toEqual([
      { constructor: 'one', title: 'Lotus' },
    ]);
    expect(await send('/teams/one', { title: 'Team Lotus' }, 'PATCH')).toEqual([
      200,
      { constructor: 'one', title: 'Team Lotus' },
    ]);
    const ferrari = { constructor: 'two', title: 'Ferrari' };
    expect(await send('/teams', ferrari, 'POST')).toEqual([201, ferrari]);
    const [status] = (await send('/teams', { title: 'Minardi' }, 'POST')) as [number];
    expect(status).toBe(422);
    expect((await platform.request('/teams/9')).status).toBe(404);
  });

  if (dialect === 'postgres')
    it('are arguments of functions', async () => {
      expect(await (await platform.request('/joined?a=1')).json()).toBe('1none');
      expect(await (await platform.request('/joined?a=1&toString=x')).json()).toBe('1x');
    });
});

const FUNCTION = `CREATE FUNCTION joined(a integer, "toString" text DEFAULT 'none') RETURNS text
  LANGUAGE sql IMMUTABLE AS 'SELECT $1::text || $2';`;
