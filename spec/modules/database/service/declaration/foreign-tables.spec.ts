import type { TestPlatform } from '../../../../factories/platform';
import { PostgresServer } from '../../../../factories/database/postgres';
import { startTables } from '../../../../factories/database/table-databases';
import { withPrograms } from '../../../../factories/processes/programs';
import { START_TIMEOUT_MS } from '../../../../factories/test-timeout';

const { describe, it } = withPrograms('postgres');

describe('foreign tables of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.adapter().runScripts([
      `CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far;
       CREATE FOREIGN TABLE makers (id INTEGER NOT NULL, name TEXT) SERVER far;
       CREATE VIEW maker_rows AS SELECT id, name FROM makers;`,
    ]);
  }, START_TIMEOUT_MS);
  afterAll(() => server.close());

  const startOver = (table: string): Promise<TestPlatform> => {
    const service = {
      table_name: table,
      route: '/makers[/:id]',
      columns: { id: {}, name: {} },
      entity: { GET: {} },
    };
    const adapter = { adapter: 'PostgresAdapter', options: { url: server.url() } };
    return startTables({ services: { Maker: service } }, adapter);
  };

  it('have no key, and the error says to use a view', async () => {
    await expect(startOver('makers')).rejects.toThrow(
      '"id" identifies an entity, and is not unique in makers. Add a primary key or a unique index. Of a foreign table, which has neither, use a view.',
    );
  });

  it('are served through a view', async () => {
    const platform = await startOver('maker_rows');
    await platform.stop();
    expect(platform.application.warnings).toEqual([]);
  });
});
