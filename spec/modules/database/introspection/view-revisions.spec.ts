import { withPrograms } from '../../../factories/processes/programs';
import { sendJson } from '../../../factories/http/requests';
import { PostgresServer } from '../../../factories/database/postgres';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { startTables } from '../../../factories/database/table-databases';

const postgres = withPrograms('postgres');

postgres.describe('a service over a view or a partitioned table of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => (server = await PostgresServer.start()), 60_000);
  afterAll(() => server.close());

  postgres.it('cannot have the revision "xmin" of a view, which only tables have', async () => {
    await server
      .adapter()
      .runScripts([
        'CREATE TABLE lamps (id integer PRIMARY KEY); CREATE VIEW listed AS SELECT id FROM lamps',
      ]);
    const service = {
      kind: 'table',
      adapter_name: 'shop',
      table_name: 'listed',
      route: '/listed[/:id]',
      route_identifier_name: 'id',
      columns: { id: {} },
      revision: 'xmin',
      entity: { GET: {} },
    };
    const refusal = await startRefusal({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': {
          adapters: { shop: { adapter: 'PostgresAdapter', options: { url: server.url() } } },
        },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Lamp: service } } } } } },
      },
    });
    expect(refusal).toContain('revision names the column "xmin", which listed does not have');
  });

  postgres.it('has the revision "xmin" of rows in a partitioned table', async () => {
    await server.adapter().runScripts([
      `CREATE TABLE days (day date PRIMARY KEY, note text) PARTITION BY RANGE (day);
         CREATE TABLE days_2026 PARTITION OF days FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');`,
    ]);
    const platform = await startTables(
      {
        services: {
          Day: {
            table_name: 'days',
            route: '/days[/:day]',
            route_identifier_name: 'day',
            columns: { day: {}, note: {} },
            revision: 'xmin',
            collection: { POST: {} },
            entity: { GET: {}, PUT: {}, PATCH: {} },
          },
        },
      },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );
    try {
      const made = [
        await platform.request('/days', sendJson({ day: '2026-01-01', note: 'a' })),
        await platform.request('/days/2026-01-02', sendJson({ note: 'b' }, 'PUT')),
      ];
      for (const [at, response] of made.entries()) {
        const tag = response.headers.get('etag') ?? '';
        expect([response.status, tag]).toEqual([201, expect.stringMatching(/^"\d+"$/)]);
        const change = sendJson({ note: 'c' }, 'PATCH', { 'If-Match': tag });
        expect((await platform.request(`/days/2026-01-0${at + 1}`, change)).status).toBe(200);
      }
      const list = [{ day: '2026-01-03' }, { day: '2026-01-04' }];
      expect((await platform.request('/days', sendJson(list))).status).toBe(201);
    } finally {
      await platform.stop();
    }
  });
});
