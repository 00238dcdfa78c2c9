import { withPrograms } from '../../factories/programs';
import { PostgresServer } from '../../factories/postgres';
import { HOSTING, startRefusal } from '../../factories/start-refusal';

const postgres = withPrograms('postgres');

postgres.describe('a service over a view of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => (server = await PostgresServer.start()), 60_000);
  afterAll(() => server.close());

  postgres.it('cannot have the revision "xmin", which only tables have', async () => {
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
});
