import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';
import { bodyOf } from '../../../factories/http/requests';

onEachDatabase(({ it, start }) => {
  let platform: TablePlatform;
  beforeAll(async () => {
    platform = await start({
      script: `CREATE TABLE gates (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, "a.eq&b" INTEGER, "a|" INTEGER, "|b" INTEGER);
        INSERT INTO gates VALUES (1, 1, 2, 9, 4, 5), (2, 2, 1, 3, 3, 6);`,
      services: {
        Gate: {
          table_name: 'gates',
          route: '/gates[/:id]',
          columns: { id: {}, a: {}, b: {}, 'a.eq&b': {}, 'a|': {}, '|b': {} },
          filters: { a: ['eq'], b: ['eq'], 'a.eq&b': ['eq'] },
          collection: { GET: { sort: ['a', 'a|'] } },
        },
      },
    });
  }, 60_000);

  const items = async (query: Readonly<Record<string, string>>): Promise<unknown> => {
    const response = await platform.request(`/gates?${new URLSearchParams(query).toString()}`);
    return response.status === 200 ? (await bodyOf(response)).items : await response.text();
  };

  it('filters of a column whose name looks like two filters are not taken for these', async () => {
    expect(await items({ 'a.eq': '1', 'b.eq': '2' })).toMatchObject([{ id: 1 }]);
    expect(await items({ 'a.eq&b.eq': '3' })).toMatchObject([{ id: 2 }]);
  });

  it('an order and columns whose names look like others are not taken for these', async () => {
    expect(await items({ sort: 'a|', fields: 'b' })).toEqual([{ b: 1 }, { b: 2 }]);
    expect(await items({ sort: 'a', fields: '|b' })).toEqual([{ '|b': 5 }, { '|b': 6 }]);
  });
});
