import { ContainerModule, type HookContext, type Module } from '../../../../../src/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../factories/database/table-databases';

interface Events {
  events: { id: number; at: Date };
}

const AT = new Date(Date.UTC(2026, 0, 31, 10, 30));

const hooks: Module = {
  name: 'hooks',
  services: new ContainerModule(({ bind }) => {
    bind('Hooks').toConstantValue({
      beforeCreate: (values: object) => ({ ...values, day: AT }),
      async afterCreate({ id }: { id: number }, { db }: HookContext<Events>) {
        await db.updateTable('events').set({ at: AT }).where('id', '=', id).execute();
      },
    });
  }),
};

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: 'CREATE TABLE events (id INTEGER PRIMARY KEY, day DATE, at TIMESTAMP)',
      services: {
        Event: {
          table_name: 'events',
          route: '/events[/:id]',
          columns: { id: {}, day: {}, at: {} },
          filters: { at: ['eq', 'lte'] },
          hooks: 'Hooks',
          collection: { GET: {}, POST: {} },
          entity: { GET: {} },
        },
      },
      extra: [hooks],
    });
  }, 60_000);

  it('a date of JavaScript that a hook returns or writes is stored as that of a body', async () => {
    const event = { id: 1, day: '2026-01-31', at: '2026-01-31T10:30:00' };
    const made = await platform.request('/events', sendJson({ id: 1 }));
    expect([made.status, await bodyOf(made)]).toEqual([201, event]);
    for (const filter of ['at.lte=2026-01-31T23:00:00', 'at.eq=2026-01-31T10:30:00'])
      expect((await bodyOf(await platform.request(`/events?${filter}`))).items).toEqual([event]);
  });
});
