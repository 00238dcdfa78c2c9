import { sendJson } from '../../../../../factories/http/requests';
import { onEachDatabase, type TablePlatform } from '../../../../../factories/database/table-databases';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: 'CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL);',
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, name: {} },
          filters: { name: ['eq'] },
          collection: { GET: {}, POST: {}, DELETE: {} },
          entity: { GET: {} },
        },
      },
    });
  }, 60_000);

  /** Sends requests one after the other; returns their statuses. */
  async function statuses(count: number, init: (at: number) => RequestInit, query = ''): Promise<number[]> {
    const found = new Set<number>();
    for (let at = 0; at < count; at++) {
      const response = await platform.request(`/things${query}`, init(at));
      await response.text();
      found.add(response.status);
    }
    return [...found];
  }

  it('rows that others insert and delete at the same time are not kept', async () => {
    const [inserters, deleters, count] = [4, 4, 40];
    const inserted = Array.from({ length: inserters }, (_, client) =>
      statuses(count, (at) => sendJson({ id: client * count + at, name: 'x' })),
    );
    const deleted = Array.from({ length: deleters }, () =>
      statuses(count, () => ({ method: 'DELETE' }), '?name.eq=x'),
    );
    expect(await Promise.all(inserted)).toEqual(inserted.map(() => [201]));
    expect(await Promise.all(deleted)).toEqual(deleted.map(() => [204]));
  }, 60_000);
});
