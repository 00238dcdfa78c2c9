import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { onEachDatabase } from '../../../../factories/database/table-databases';

const IDS = Array.from({ length: 100 }, (_, at) => `123e4567-e89b-42d3-a456-${String(at).padStart(12, '0')}`);

onEachDatabase(({ it, start }) => {
  it('continues the list of a filter with as many conditions and values as a body can have', async () => {
    const rows = [0, 1, 2, 3, 4].map((at) => `(${at}, '${IDS[at] ?? ''}', ${at % 2}, ${at % 3})`);
    const platform = await start({
      script: `CREATE TABLE parts (id INTEGER PRIMARY KEY, code UUID, a INTEGER, b INTEGER);
        INSERT INTO parts VALUES ${rows.join()}, (5, NULL, 0, 0);`,
      services: {
        Part: {
          table_name: 'parts',
          route: '/parts[/:id]',
          columns: { id: {}, code: {}, a: {}, b: {} },
          filters: { code: ['in'] },
          collection: { GET: { sort: ['a', 'b'] } },
        },
      },
    });
    const body = {
      filter: { or: Array.from({ length: 50 }, () => ({ code: { in: IDS } })) },
      sort: ['a', '-b'],
      page_size: 2,
    };
    const found: unknown[] = [];
    let cursor: unknown = undefined;
    do {
      const response = await platform.request('/parts/query', sendJson({ ...body, cursor }));
      expect(response.status).toBe(200);
      const page = await bodyOf(response);
      found.push(...(page.items as { id: number }[]).map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual([2, 4, 0, 1, 3]);
  }, 60_000);
});
