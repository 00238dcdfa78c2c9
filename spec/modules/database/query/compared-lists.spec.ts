import { onEachDatabase, type TablePlatform } from '../../../factories/database/table-databases';

onEachDatabase(({ it, dialect, start }) => {
  const isSqlite = dialect === 'sqlite';
  let platform: TablePlatform;
  beforeAll(async () => {
    const object = isSqlite ? `jsonb('{"a":1,"big":9007199254740993}')` : `'{"a":1,"big":9007199254740993}'`;
    platform = await start({
      script: `CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, doc JSON, price DECIMAL(20));
        INSERT INTO things VALUES (1, 'x', ${isSqlite ? "'{}'" : object}, 9007199254740993), (2, 'Y', '{}', 1), (3, 'z', '{}', 2);
        ${isSqlite ? `UPDATE things SET doc = ${object} WHERE id = 1` : ''}`,
      services: {
        Thing: {
          table_name: 'things',
          route: '/things[/:id]',
          columns: { id: {}, doc: {}, price: {} },
          sql_filters: Object.fromEntries(
            [false, true].map((isLower) => [
              isLower ? 'lower' : 'names',
              {
                where: {
                  sqlite: `${isLower ? 'lower(name)' : 'name'} in (select value from json_each(:value))`,
                  postgres: `${isLower ? 'lower(name)' : 'name'} = any(:value)`,
                },
                lower_case: isLower,
                schema: { type: 'array', items: { type: 'string' } },
              },
            ]),
          ),
          collection: { GET: {} },
          entity: { GET: {} },
        },
        All: { kind: 'procedure', route: '/all', sql: 'select id, doc, price from things where id = 1' },
      },
    });
  }, 60_000);

  const get = async (path: string): Promise<readonly unknown[]> => {
    const response = await platform.request(path);
    return [response.status, (await response.json()) as unknown];
  };
  const idsOf = async (path: string): Promise<readonly unknown[]> => {
    const [status, body] = await get(path);
    const { items } = body as { readonly items?: readonly { readonly id: number }[] };
    return [status, ...(items ?? []).map(({ id }) => id)];
  };

  it('an SQL filter compares with the values of a list', async () => {
    expect(await idsOf('/things?names=x&names=Y')).toEqual([200, 1, 2]);
    expect(await idsOf('/things?names=,x')).toEqual([200]);
    expect(await idsOf('/things?lower=X&lower=y')).toEqual([200, 1, 2]);
  });

  it('a procedure returns JSON and decimals as the table does', async () => {
    const [status, entity] = await get('/things/1');
    expect([status, entity]).toMatchObject([200, { id: 1, doc: { a: 1 }, price: '9007199254740993' }]);
    expect(await get('/all')).toEqual([200, [entity]]);
  });
});
