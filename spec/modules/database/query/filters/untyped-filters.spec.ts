import type { ConfigObject } from '../../../../../src/framework';
import { createSqliteTables } from '../../../../factories/database/created-tables';
import type { TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { startTables } from '../../../../factories/database/table-databases';

const SCRIPT = `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, free);
  INSERT INTO things VALUES (1, 'a', 5), (2, 'b', 'five'), (3, 'c', NULL);
  CREATE VIEW computed AS SELECT id, id * 3 AS triple, id / 2.0 AS half, upper(name) AS upper,
    id / 3.0 AS third, id * 1e16 AS large FROM things;`;

const UUID = '0f9ad5b2-3a66-4c8e-9d0a-2b7c1e5f6a01';

const computed = (filters: ConfigObject, ofTable: ConfigObject = {}) =>
  startTables(
    {
      services: {
        Computed: {
          table_name: 'computed',
          route: '/computed[/:id]',
          columns: { id: {}, triple: {}, half: {}, upper: {}, third: {}, large: {} },
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
    const filters = ['triple', 'half', 'upper', 'third', 'large'].map((name) => [name, operators]);
    platform = await computed(Object.fromEntries(filters) as ConfigObject, { free: operators });
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
    ['third.eq=0.3333333333333333', [1]],
    ['third.ne=0.3333333333333333', [2, 3]],
    ['third.in=0.3333333333333333,0.6666666666666666', [1, 2]],
    ['third.eq=NaN', []],
    ['third.ne=NaN', [1, 2, 3]],
    ['large.eq=20000000000000000', [2]],
    ['large.eq=2e16', []],
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

describe('an identifier without a type (SQLite)', () => {
  const ids = ['2', '10', 'a', '0.3333333333333333'];

  it.each([
    ['of a table', 'CREATE TABLE things (id PRIMARY KEY, name TEXT) WITHOUT ROWID;', 'things'],
    [
      'that a view computes',
      'CREATE TABLE all_things (id, name TEXT); CREATE VIEW things AS SELECT coalesce(id, 0) AS id, name FROM all_things;',
      'all_things',
    ],
  ])('%s identifies rows by the texts of responses', async (_, script, stored) => {
    const platform = await startTables(
      {
        services: {
          Thing: {
            table_name: 'things',
            route: '/things[/:id]',
            columns: { id: {}, name: {} },
            collection: { GET: {} },
            entity: { GET: {} },
            page_size: 1,
          },
        },
      },
      {
        adapter: 'SqliteAdapter',
        options: createSqliteTables(`${script}
          INSERT INTO ${stored} VALUES (2, 'x'), (10, 'x'), ('a', 'x'), (1 / 3.0, 'x');`)
          .options as ConfigObject,
      },
    );
    const found: string[] = [];
    let path: string | undefined = '/things';
    while (path !== undefined && found.length <= ids.length) {
      const { items, next_cursor: cursor } = await bodyOf(await platform.request(path));
      found.push(...(items as { id: string }[]).map(({ id }) => id));
      path = typeof cursor === 'string' ? `/things?cursor=${cursor}` : undefined;
    }
    expect(found.sort()).toEqual([...ids].sort());
    for (const id of ids)
      expect(await bodyOf(await platform.request(`/things/${id}`))).toMatchObject({ id, name: 'x' });
    expect((await platform.request('/things/02')).status).toBe(404);
    await platform.stop();
  });

  it('of several rows is that of the text first', async () => {
    const { options } = createSqliteTables(`CREATE TABLE things (id PRIMARY KEY, name TEXT);
      INSERT INTO things VALUES (5, 'number'), ('5', 'text'), (10, 'alone');
      CREATE TABLE pairs (a, b, name TEXT, PRIMARY KEY (a, b));
      INSERT INTO pairs VALUES (1, 2, 'numbers'), ('1', 2, 'text'), (3, '2', 'other');
      CREATE TABLE marks (id UUID PRIMARY KEY, name TEXT);
      INSERT INTO marks VALUES ('${UUID.toUpperCase()}', 'upper'), ('${UUID}', 'lower');`);
    const service = (table: string, key: readonly string[]): ConfigObject => ({
      table_name: table,
      route: `/${table}[/:${key.join('/:')}]`,
      route_identifier_name: [...key],
      columns: { ...Object.fromEntries(key.map((name) => [name, {}])), name: {} },
      collection: { GET: {} },
      entity: { GET: {}, PATCH: {}, DELETE: {} },
    });
    const platform = await startTables(
      {
        services: {
          Thing: service('things', ['id']),
          Pair: service('pairs', ['a', 'b']),
          Mark: service('marks', ['id']),
        },
      },
      { adapter: 'SqliteAdapter', options: options as ConfigObject },
    );
    const namesOf = async (path: string): Promise<unknown> => {
      const { items } = await bodyOf(await platform.request(path));
      return (items as { name: string }[]).map(({ name }) => name).sort();
    };
    for (const [path, others, first] of [
      ['/things/5', ['alone', 'number'], 'text'],
      ['/pairs/1/2', ['numbers', 'other'], 'text'],
      [`/marks/${UUID}`, ['upper'], 'lower'],
    ] as const) {
      const list = `/${path.split('/')[1]}`;
      expect(await bodyOf(await platform.request(path))).toMatchObject({ name: first });
      const patch = { ...sendJson({ name: 'changed' }), method: 'PATCH' };
      expect(await bodyOf(await platform.request(path, patch))).toMatchObject({ name: 'changed' });
      expect(await namesOf(list)).toEqual([...others, 'changed'].sort());
      expect((await platform.request(path, { method: 'DELETE' })).status).toBe(204);
      expect(await namesOf(list)).toEqual(others);
    }
    // Without the text, the number is the identifier.
    expect((await platform.request('/things/5', { method: 'DELETE' })).status).toBe(204);
    expect(await namesOf('/things')).toEqual(['alone']);
    await platform.stop();
  });
});
