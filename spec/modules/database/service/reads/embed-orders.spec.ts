import { bodyOf } from '../../../../factories/http/requests';
import { onEachDatabase } from '../../../../factories/database/table-databases';

onEachDatabase(({ it, start }) => {
  it('embedded rows are sorted by a column whose name begins with the prefix of descending order', async () => {
    const lists = { rising: '-size', falling: '--size', named: 'name', back: '-name' };
    const { request } = await start({
      script: `CREATE TABLE shelves (id INTEGER PRIMARY KEY);
        CREATE TABLE books (id INTEGER PRIMARY KEY, shelf_id INTEGER REFERENCES shelves (id), name VARCHAR(5), "-size" INTEGER);
        INSERT INTO shelves VALUES (1);
        INSERT INTO books VALUES (1, 1, 'b', 2), (2, 1, 'c', 3), (3, 1, 'a', 1)`,
      services: {
        Shelf: {
          table_name: 'shelves',
          route: '/shelves[/:id]',
          columns: { id: {} },
          embeds: Object.fromEntries(
            Object.entries(lists).map(([name, key]) => [
              name,
              { table_name: 'books', columns: ['id'], sort: [key] },
            ]),
          ),
          entity: { GET: {} },
        },
      },
    });
    const shelf = await bodyOf(await request(`/shelves/1?embed=${Object.keys(lists).join(',')}`));
    const ids = Object.keys(lists).map((name) => (shelf[name] as { id: number }[]).map(({ id }) => id));
    expect(ids).toEqual([
      [3, 1, 2],
      [2, 1, 3],
      [3, 1, 2],
      [2, 1, 3],
    ]);
  }, 60_000);
});
