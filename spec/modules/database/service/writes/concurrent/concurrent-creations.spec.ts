import { ContainerModule, type HookContext, type Module } from '../../../../../../src/platform';
import { withPrograms } from '../../../../../factories/processes/programs';
import { PostgresServer } from '../../../../../factories/database/postgres';
import { bodyOf, sendJson } from '../../../../../factories/http/requests';
import { startTables } from '../../../../../factories/database/table-databases';

interface Shop {
  changes: { text: string };
}

// SQLite has one writer at a time.
const { describe, it } = withPrograms('postgres');

describe('an entity that another client has created while hooks of a PUT run', () => {
  let server: PostgresServer;
  beforeAll(async () => (server = await PostgresServer.start()), 60_000);
  afterAll(() => server.close());

  it('is not changed without the hooks of an update', async () => {
    const other = server.adapter();
    await other.runScripts([
      'CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE changes (text TEXT);',
    ]);
    const record = (text: string, { db }: HookContext<Shop>) =>
      db.insertInto('changes').values({ text }).execute();
    const createElsewhere = (id: number) =>
      other.execute({ text: `INSERT INTO items VALUES (${id}, 'of another')`, kind: 'write' }, []);
    const hooks: Module = {
      name: 'hooks',
      services: new ContainerModule(({ bind }) => {
        bind('Hooks').toConstantValue({
          async beforeCreate(_: unknown, context: HookContext<Shop>) {
            await record('create', context);
            await createElsewhere(1);
          },
          beforeUpdate: async (_: string, __: unknown, context: HookContext<Shop>) => {
            await record('update', context);
          },
        });
      }),
    };
    const Item = {
      table_name: 'items',
      route: '/items[/:id]',
      columns: { id: {}, name: {} },
      hooks: 'Hooks',
      entity: { GET: {}, PUT: {} },
    };
    const adapter = { adapter: 'PostgresAdapter', options: { url: server.url() } };
    const platform = await startTables({ services: { Item }, extra: [hooks] }, adapter);
    try {
      const put = () => platform.request('/items/1', sendJson({ name: 'own' }, 'PUT'));
      const refused = await put();
      expect([refused.status, await bodyOf(refused)]).toMatchObject([
        409,
        { detail: expect.stringContaining('Nothing was changed. Try again.') as unknown },
      ]);
      expect(await bodyOf(await platform.request('/items/1'))).toEqual({ id: 1, name: 'of another' });
      expect((await put()).status).toBe(200);
      expect(await bodyOf(await platform.request('/items/1'))).toEqual({ id: 1, name: 'own' });
      const changes = await other.execute({ text: 'SELECT text FROM changes', kind: 'read' }, []);
      expect(changes).toEqual([{ text: 'update' }]);
    } finally {
      await platform.stop();
    }
  });
});
