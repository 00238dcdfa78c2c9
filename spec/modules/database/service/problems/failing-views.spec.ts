import { sendJson } from '../../../../factories/http/requests';
import { withPrograms } from '../../../../factories/processes/programs';
import { PostgresServer } from '../../../../factories/database/postgres';
import { startTables } from '../../../../factories/database/table-databases';
import type { TestPlatform } from '../../../../factories/platform';

const postgres = withPrograms('postgres');

postgres.describe('a view that cannot be computed for a stored row', () => {
  const { it } = postgres;
  let server: PostgresServer;
  let platform: TestPlatform;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([
      `CREATE TABLE trips (id integer PRIMARY KEY, cost integer, guests integer,
         share integer GENERATED ALWAYS AS (cost / guests) STORED);
       INSERT INTO trips VALUES (1, 30, 3);
       CREATE TABLE raw_shares (id integer PRIMARY KEY, cost integer, guests integer, day text);
       INSERT INTO raw_shares VALUES (1, 30, 3, '2026-01-31'), (2, 10, 0, 'never');
       CREATE VIEW shares AS SELECT id, cost / guests AS share FROM raw_shares;
       CREATE VIEW days AS SELECT id, day::date AS day FROM raw_shares;`,
    ]);
    const view = (name: string) => ({
      table_name: name,
      route: `/${name}[/:id]`,
      entity_identifier_name: 'id',
      filters: { id: ['eq', 'gte'] },
      sql_filters: { at: { description: 'At.', where: '10 / :value >= 1', schema: { type: 'integer' } } },
      collection: { GET: { sort: ['id'] } },
      entity: { GET: {} },
    });
    platform = await startTables(
      {
        services: {
          Share: { ...view('shares'), columns: { id: {}, share: {} } },
          Day: { ...view('days'), columns: { id: {}, day: {} } },
          Trip: {
            table_name: 'trips',
            route: '/trips[/:id]',
            columns: { id: {}, cost: {}, guests: {}, share: {} },
            collection: { POST: {} },
            entity: { PATCH: {} },
          },
        },
      },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  const get = async (to: string) => [to, (await platform.request(to)).status];

  it('is an error of the server, whatever valid values a request has', async () => {
    platform.log.lines.length = 0;
    for (const query of ['', '?id.gte=1', '?id.eq=2', '?count=exact&page_size=1'])
      expect(await get(`/shares${query}`)).toEqual([`/shares${query}`, 500]);
    expect(await get('/shares/2')).toEqual(['/shares/2', 500]);
    expect(await get('/days')).toEqual(['/days', 500]);
    const causes = platform.log.lines.flatMap(({ details }) =>
      'err' in details ? [((details.err as Error).cause as Error).message] : [],
    );
    expect((await (await platform.request('/shares')).json()) as unknown).toMatchObject({
      detail:
        'The result has a value that the database cannot compute. The request cannot succeed until an administrator has corrected that.',
    });
    // Once each.
    expect(causes).toEqual([
      'division by zero',
      expect.stringContaining('invalid input syntax for type date'),
    ]);
  });

  it('does not keep other rows from being read', async () => {
    expect(await get('/shares/1')).toEqual(['/shares/1', 200]);
    expect(await get('/days?id.eq=1')).toEqual(['/days?id.eq=1', 200]);
  });

  it('is an error of the client if an SQL filter computes with its value', async () => {
    expect(await get('/shares?id.eq=1&at=0')).toEqual(['/shares?id.eq=1&at=0', 400]);
  });

  it('is an error of the client in a write: its values are those that the database computes with', async () => {
    const body = { id: 3, cost: 1, guests: 0 };
    expect((await platform.request('/trips', sendJson(body))).status).toBe(422);
    expect((await platform.request('/trips/1', sendJson({ guests: 0 }, 'PATCH'))).status).toBe(422);
  });
});
