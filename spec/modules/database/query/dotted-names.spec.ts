import { objectOf } from '../../../../src/framework';
import { createSqliteTables } from '../../../factories/database/created-tables';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { startTables } from '../../../factories/database/table-databases';
import { bodyOf, sendJson } from '../../../factories/http/requests';

it('tables of SQLite may have dots in their names', async () => {
  const adapter = createSqliteTables(`CREATE TABLE "v1.makers" (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE "v1.items" (id INTEGER PRIMARY KEY, name TEXT, maker_id INTEGER REFERENCES "v1.makers");
    CREATE INDEX by_maker ON "v1.items" (maker_id);
    INSERT INTO "v1.makers" VALUES (7, 'Ada');`);
  const platform = await startTables(
    {
      services: {
        Item: {
          table_name: 'v1.items',
          route: '/items[/:id]',
          columns: { id: {}, name: {}, maker_id: { embed: { columns: ['id', 'name'] } } },
          collection: { GET: { sort: ['name'] }, POST: {} },
          entity: { GET: {}, DELETE: {} },
        },
      },
    },
    { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
  );
  try {
    const made = await platform.request('/items', sendJson({ name: 'Globe', maker_id: 7 }));
    expect([made.status, made.headers.get('location')]).toEqual([201, '/items/1']);
    const list = await bodyOf(await platform.request('/items?sort=name&embed=maker'));
    expect(list.items).toEqual([{ id: 1, name: 'Globe', maker_id: 7, maker: { id: 7, name: 'Ada' } }]);
    const unknown = await platform.request('/items', sendJson({ name: 'Globe', maker_id: 8 }));
    expect([unknown.status, (await bodyOf(unknown)).errors]).toMatchObject([422, [{ pointer: '/maker_id' }]]);
    expect((await platform.request('/items/1', { method: 'DELETE' })).status).toBe(204);
  } finally {
    await platform.stop();
  }
});

withPrograms('postgres').it(
  'tables and schemas of PostgreSQL may have dots in their names, which the declaration has in quotation marks',
  async () => {
    const server = await PostgresServer.start();
    await server.adapter().runScripts([
      `CREATE SCHEMA v1;
       CREATE TABLE v1.items (other integer);
       CREATE SCHEMA "my.shop";
       CREATE TABLE "my.shop"."the ""makers" (id integer PRIMARY KEY, name text);
       CREATE TABLE "v1.items" (id serial PRIMARY KEY, name text, maker_id integer REFERENCES "my.shop"."the ""makers");
       INSERT INTO "my.shop"."the ""makers" VALUES (7, 'Ada');`,
    ]);
    const common = { columns: { id: {}, name: {} }, collection: { GET: {}, POST: {} } };
    const platform = await startTables(
      {
        services: {
          Item: {
            ...common,
            table_name: '"v1.items"',
            route: '/items[/:id]',
            columns: { ...common.columns, maker_id: { embed: { columns: ['id', 'name'] } } },
          },
          Maker: {
            ...common,
            table_name: '"my.shop".the "makers',
            route: '/makers[/:id]',
            embeds: { items: { table_name: '"v1.items"', columns: ['name'] } },
          },
        },
      },
      { adapter: 'PostgresAdapter', options: { url: server.url() } },
    );
    try {
      expect((await platform.request('/items', sendJson({ name: 'Globe', maker_id: 7 }))).status).toBe(201);
      const items = await bodyOf(await platform.request('/items?embed=maker'));
      expect(items.items).toEqual([{ id: 1, name: 'Globe', maker_id: 7, maker: { id: 7, name: 'Ada' } }]);
      const makers = await bodyOf(await platform.request('/makers?embed=items'));
      expect(makers.items).toEqual([{ id: 7, name: 'Ada', items: [{ name: 'Globe' }] }]);
      const unknown = await platform.request('/items', sendJson({ name: 'Globe', maker_id: 8 }));
      expect((await bodyOf(unknown)).errors).toMatchObject([{ pointer: '/maker_id' }]);
    } finally {
      await platform.stop();
      await server.close();
    }
  },
  60_000,
);

it('the fields and the order of a QUERY and of a URL may have commas in their names', async () => {
  const adapter =
    createSqliteTables(`CREATE TABLE items (id INTEGER PRIMARY KEY, "size, cm" INTEGER, name TEXT);
    INSERT INTO items VALUES (1, 7, 'Globe'), (2, 5, 'Lamp'), (3, 9, 'Vase');`);
  const platform = await startTables(
    {
      services: {
        Item: {
          table_name: 'items',
          route: '/items[/:id]',
          columns: { id: {}, 'size, cm': {}, name: {} },
          filters: { name: ['eq'] },
          collection: { GET: { sort: ['name', 'size, cm'], default_sort: 'size, cm,-name' } },
        },
      },
    },
    { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
  );
  try {
    const query = { fields: ['id', 'size, cm'], sort: ['-size, cm'], page_size: 2 };
    const items = [
      { id: 3, 'size, cm': 9 },
      { id: 1, 'size, cm': 7 },
    ];
    const found = await platform.request('/items/query', sendJson(query));
    expect([found.status, (await bodyOf(found)).items]).toEqual([200, items]);
    const read = await platform.request('/items?fields=id,size, cm&sort=-name&page_size=1');
    expect([read.status, (await bodyOf(read)).items]).toEqual([200, items.slice(0, 1)]);
    const unknown = await platform.request('/items?fields=id,size');
    expect((await bodyOf(unknown)).errors).toMatchObject([{ parameter: 'fields' }]);
    const idsOf = async (path: string): Promise<unknown> =>
      ((await bodyOf(await platform.request(path))).items as { id: number }[]).map(({ id }) => id);
    expect(await idsOf('/items')).toEqual([2, 1, 3]);
    expect(await idsOf('/items?sort=-size, cm')).toEqual([3, 1, 2]);
    expect(await idsOf('/items?sort=name,-size, cm')).toEqual([1, 2, 3]);
    const repeated = await platform.request('/items?sort=size, cm,-size, cm');
    expect((await bodyOf(repeated)).errors).toMatchObject([{ parameter: 'sort' }]);
  } finally {
    await platform.stop();
  }
});

it('the columns of a list that is created may have commas in their names', async () => {
  const adapter = createSqliteTables(
    'CREATE TABLE items (id INTEGER PRIMARY KEY, a TEXT, b TEXT, "a,b" TEXT);',
  );
  const platform = await startTables(
    {
      services: {
        Item: {
          table_name: 'items',
          route: '/items[/:id]',
          columns: { id: {}, a: {}, b: {}, 'a,b': {} },
          collection: { POST: {} },
        },
      },
    },
    { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
  );
  try {
    const create = async (items: readonly object[]): Promise<unknown> =>
      (await platform.request('/items', sendJson(items))).json();
    expect(await create([{ a: '1', b: '2' }, { 'a,b': '3' }])).toEqual([
      { id: 1, a: '1', b: '2', 'a,b': null },
      { id: 2, a: null, b: null, 'a,b': '3' },
    ]);
    // The number of rows decides the statement as well.
    expect(await create([{ 'a,b': '4' }])).toEqual([{ id: 3, a: null, b: null, 'a,b': '4' }]);
  } finally {
    await platform.stop();
  }
});

it('errors about columns with dots and commas in their names have pointers to these members', async () => {
  const adapter = createSqliteTables(`CREATE TABLE "v1" (id INTEGER PRIMARY KEY, "cars.size, cm" INTEGER);
    CREATE TABLE "v1.cars" (id INTEGER PRIMARY KEY, "size, cm" INTEGER, "top.speed" INTEGER, "no." INTEGER UNIQUE,
      UNIQUE ("size, cm", "top.speed"));
    INSERT INTO "v1.cars" VALUES (1, 7, 180, 1);`);
  const platform = await startTables(
    {
      services: {
        Car: {
          table_name: 'v1.cars',
          route: '/cars[/:id]',
          columns: { id: {}, 'size, cm': {}, 'top.speed': {}, 'no.': {} },
          collection: { POST: {} },
        },
      },
    },
    { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
  );
  try {
    const pointersOf = async (values: object): Promise<unknown> => {
      const response = await platform.request('/cars', sendJson(values));
      const { errors } = (await bodyOf(response)) as { errors?: { pointer: string }[] };
      return [response.status, ...(errors ?? []).map(({ pointer }) => pointer)];
    };
    expect(await pointersOf({ 'no.': 1 })).toEqual([409, '/no.']);
    expect(await pointersOf({ 'size, cm': 7, 'top.speed': 180 })).toEqual([409, '/size, cm', '/top.speed']);
  } finally {
    await platform.stop();
  }
});

it('errors about columns with slashes in their names have pointers to these members', async () => {
  const adapter = createSqliteTables(`CREATE TABLE makers ("maker/id" INTEGER PRIMARY KEY);
    CREATE TABLE cars (id INTEGER PRIMARY KEY, "km/h" INTEGER UNIQUE, "maker~/id" INTEGER REFERENCES makers);
    INSERT INTO cars VALUES (1, 180, NULL);`);
  const platform = await startTables(
    {
      services: {
        Car: {
          table_name: 'cars',
          route: '/cars[/:id]',
          columns: { id: {}, 'km/h': {}, 'maker~/id': {} },
          filters: { 'km/h': ['in'] },
          collection: { GET: {}, POST: {} },
        },
        Maker: {
          table_name: 'makers',
          route: '/makers[/:maker_id]',
          route_identifier_name: 'maker_id',
          entity_identifier_name: 'maker/id',
          columns: { 'maker/id': {} },
          collection: { GET: {}, POST: {} },
          entity: { GET: {}, PUT: {} },
        },
      },
    },
    { adapter: 'SqliteAdapter', options: objectOf(adapter.options) },
  );
  try {
    const refused = async (path: string, body: object, method = 'POST'): Promise<unknown> => {
      const response = await platform.request(path, sendJson(body, method));
      const { errors, detail } = (await bodyOf(response)) as {
        errors: { pointer: string }[];
        detail: string;
      };
      return { status: response.status, pointers: errors.map(({ pointer }) => pointer), detail };
    };
    expect(await refused('/cars', { 'km/h': 180 })).toEqual({
      status: 409,
      pointers: ['/km~1h'],
      detail: 'An entity of Car with the same km/h already exists.',
    });
    const unknown = [{ 'km/h': 1 }, { 'maker~/id': 7 }];
    expect(await refused('/cars', unknown)).toMatchObject({ status: 422, pointers: ['/1/maker~0~1id'] });
    const other = { 'maker/id': 2 };
    expect(await refused('/makers/1', other, 'PUT')).toMatchObject({ status: 422, pointers: ['/maker~1id'] });
  } finally {
    await platform.stop();
  }
});
