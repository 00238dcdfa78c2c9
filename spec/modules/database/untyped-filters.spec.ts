import type { ConfigObject } from '../../../src/framework';
import { createSqliteTables } from '../../factories/created-tables';
import type { TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/requests';
import { startTables } from '../../factories/table-databases';

const SCRIPT = `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, free);
  INSERT INTO things VALUES (1, 'a', 5), (2, 'b', 'five'), (3, 'c', NULL);
  CREATE VIEW computed AS SELECT id, id * 3 AS triple, id / 2.0 AS half, upper(name) AS upper FROM things;`;

const computed = (filters: ConfigObject, ofTable: ConfigObject = {}) =>
  startTables(
    {
      services: {
        Computed: {
          table_name: 'computed',
          route: '/computed[/:id]',
          columns: { id: {}, triple: {}, half: {}, upper: {} },
          filters,
          collection: { GET: {} },
        },
        Stored: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, free: {} },
          filters: ofTable,
          collection: { GET: {} },
        },
      },
    },
    { adapter: 'SqliteAdapter', options: createSqliteTables(SCRIPT).options as ConfigObject },
  );

describe('a filter of a column without a type (SQLite)', () => {
  const operators = ['eq', 'ne', 'in', 'is'];
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await computed({ triple: operators, half: operators, upper: operators }, { free: operators });
  });
  afterAll(() => platform.stop());

  it.each([
    ['triple.eq=3', [1]],
    ['triple.eq=03', []],
    ['triple.ne=3', [2, 3]],
    ['triple.in=3,6', [1, 2]],
    ['triple.is=not_null', [1, 2, 3]],
    ['half.eq=0.5', [1]],
    ['half.eq=1', [2]],
    ['half.ne=1', [1, 3]],
    ['upper.eq=A', [1]],
    ['upper.in=A,C', [1, 3]],
    ['free.eq=5', [1]],
    ['free.ne=5', [2, 3]],
    ['free.in=5,five', [1, 2]],
    ['free.is=null', [3]],
  ])('compares the texts of responses: %s', async (query, ids) => {
    const path = query.startsWith('free') ? '/things' : '/computed';
    const { items } = await bodyOf(await platform.request(`${path}?${query}`));
    expect((items as { id: number }[]).map(({ id }) => id)).toEqual(ids);
    const [parameter = '', value = ''] = query.split('=');
    const [column = '', operator = ''] = parameter.split('.');
    const filter = { [column]: { [operator]: operator === 'in' ? value.split(',') : value } };
    const found = await bodyOf(await platform.request(`${path}/query`, sendJson({ filter })));
    expect(found.items).toEqual(items);
  });

  it('compares numbers of a type that SQLite does not know as numbers', async () => {
    const priced = await startTables(
      {
        services: {
          Priced: {
            table_name: 'priced',
            route: '/priced[/:id]',
            columns: { id: {}, price: {} },
            filters: { price: ['eq', 'gte'] },
            collection: { GET: {} },
          },
        },
      },
      {
        adapter: 'SqliteAdapter',
        options: createSqliteTables(`CREATE TABLE priced (id INTEGER PRIMARY KEY, price NUMBER(10,2));
          INSERT INTO priced VALUES (1, 7.5), (2, 10);`).options as ConfigObject,
      },
    );
    const idsOf = async (query: string): Promise<unknown> =>
      (await bodyOf(await priced.request(`/priced?${query}`))).items;
    expect(await idsOf('price.eq=7.50')).toMatchObject([{ id: 1 }]);
    expect(await idsOf('price.gte=10.00')).toMatchObject([{ id: 2 }]);
    await priced.stop();
  });

  it('compares texts in a column ANY of a STRICT table, which converts nothing', async () => {
    const any = (filters: ConfigObject) =>
      startTables(
        {
          services: {
            Setting: {
              table_name: 'settings',
              route: '/settings[/:id]',
              columns: { id: {}, value: {} },
              filters,
              collection: { GET: {} },
            },
          },
        },
        {
          adapter: 'SqliteAdapter',
          options: createSqliteTables(`CREATE TABLE settings (id INTEGER PRIMARY KEY, value ANY) STRICT;
            INSERT INTO settings VALUES (1, 5), (2, '5'), (3, 'five'), (4, 2.5), (5, NULL);`)
            .options as ConfigObject,
        },
      );
    const settings = await any({ value: ['eq', 'ne', 'in'] });
    const idsOf = async (query: string): Promise<unknown> => {
      const { items } = await bodyOf(await settings.request(`/settings?${query}`));
      return (items as { id: number }[]).map(({ id }) => id);
    };
    expect(await idsOf('value.eq=5')).toEqual([1, 2]);
    expect(await idsOf('value.ne=5')).toEqual([3, 4, 5]);
    expect(await idsOf('value.in=2.5,five')).toEqual([3, 4]);
    await settings.stop();
    await expect(any({ value: ['lt'] })).rejects.toThrow('which has no filter "lt"');
  });

  it.each(['lt', 'lte', 'gt', 'gte', 'starts'])(
    'is refused at the start if it needs a type: %s',
    async (one) => {
      await expect(computed({ triple: [one] })).rejects.toThrow(
        `the column "triple" is of the type unknown, which has no filter "${one}"`,
      );
    },
  );
});
