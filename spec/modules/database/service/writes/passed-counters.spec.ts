import { ContainerModule, type HookContext, type Module } from '../../../../../src/platform';
import { sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

interface Notes {
  notes: { id: number; name: string; version: number };
}

const hooks: Module = {
  name: 'hooks',
  services: new ContainerModule(({ bind }) => {
    bind('Hooks').toConstantValue({
      beforeCreate: (values: object) => ({ ...values, version: 7 }),
      async beforeUpdate(id: string, values: object, { db }: HookContext<Notes>) {
        const row = await db
          .selectFrom('notes')
          .selectAll()
          .where('id', '=', Number(id))
          .executeTakeFirstOrThrow();
        return { ...row, ...values };
      },
    });
  }),
};

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT, version INTEGER)',
      services: {
        Note: {
          table_name: 'notes',
          route: '/notes[/:id]',
          columns: { id: {}, name: {}, version: {} },
          revision: 'version',
          hooks: 'Hooks',
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PUT: {}, PATCH: {} },
        },
      },
      extra: [hooks],
    });
  }, 60_000);

  it('counts the changes of an entity, whatever counter a hook passes on', async () => {
    const send = async (method: string, path: string, body: object): Promise<unknown> => {
      const response = await platform.request(path, sendJson(body, method));
      return [response.status, await response.json()];
    };
    expect(await send('POST', '/notes', { id: 1, name: 'a' })).toEqual([
      201,
      { id: 1, name: 'a', version: 1 },
    ]);
    expect(await send('PATCH', '/notes/1', { name: 'b' })).toEqual([200, { id: 1, name: 'b', version: 2 }]);
    expect(await send('PUT', '/notes/1', { name: 'c' })).toEqual([200, { id: 1, name: 'c', version: 3 }]);
    expect(await send('POST', '/notes', [{ id: 2, name: 'e' }])).toEqual([
      201,
      [{ id: 2, name: 'e', version: 1 }],
    ]);
  });
});
