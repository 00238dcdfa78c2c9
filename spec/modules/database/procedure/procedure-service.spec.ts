import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../../src/framework';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { defineApi, defineProcedureService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { basic, bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { PEOPLE, authenticatedBy } from '../../../fixtures/people';

const tables = (key: string): string => `
  CREATE TABLE products(id ${key}, name TEXT NOT NULL UNIQUE, price INTEGER NOT NULL CHECK (price >= 0), views BIGINT, owner TEXT);
  INSERT INTO products(name, price, views, owner)
  VALUES ('Lamp', 30, 9007199254740993, 'ada'), ('Table', 120, 1, 'bob'), ('Glass', 5, NULL, 'ada');`;

const service = (route: string, sql: string, more: ConfigObject = {}): ConfigObject => ({
  kind: 'procedure',
  adapter_name: 'shop',
  route,
  sql,
  ...more,
});

const price = { price: { type: 'integer', minimum: 0 } };
const services: ConfigObject = {
  AtLeast: service(
    '/at-least/:price',
    `select name, price, views -- :comment, with 'a quote
     from products where price >= :price and (name like :prefix || '%' or name = ':name') order by price limit :limit;`,
    {
      summary: 'List products by price',
      parameters: {
        ...price,
        prefix: { type: 'string', default: '' },
        limit: { type: 'integer', minimum: 1, default: 10 },
      },
    },
  ),
  Cheapest: service(
    '/cheapest',
    'select name, price from products where price < :price order by price limit 1',
    {
      result: 'row',
      parameters: price,
    },
  ),
  Count: service('/count', 'select count(*) as size from products where price >= coalesce(:price, 0)', {
    result: 'value',
    parameters: { price: { type: ['integer', 'null'] } },
  }),
  ...Object.fromEntries(
    [{ type: ['integer', 'null'] }, { anyOf: [{ type: 'integer' }, { type: 'null' }] }].map((min, at) => [
      `Owners${at}`,
      service(
        `/owners-${at}/:min`,
        'select owner from products group by owner having sum(price) >= :min order by owner',
        { parameters: { min } },
      ),
    ]),
  ),
  Repeated: service(
    '/repeated',
    "select ':low' as text, name from products where price >= :low and price <= :high and not (price = :low and :low < 0) order by name",
    { parameters: { high: { type: 'integer' }, low: { type: 'integer' } } },
  ),
  Mine: service('/mine', 'select name from products where owner = :identity.name order by name'),
  Raise: service(
    '/raise',
    'update products set price = price + :amount where name = :name returning name, price',
    {
      read_only: false,
      result: 'row',
      parameters: { amount: { type: 'integer' }, name: { type: 'string' } },
    },
  ),
  Rename: service('/rename', 'update products set name = :to where name = :name', {
    read_only: false,
    parameters: { name: { type: 'string' }, to: { type: 'string' } },
    result: 'none',
  }),
};

const inCode: Module = {
  name: 'code',
  requires: ['database'],
  apis: [
    defineApi({
      name: 'Code',
      versions: {
        1: {
          services: {
            Named: defineProcedureService({
              adapter_name: 'shop',
              route: '/named',
              sql: 'select name from products where name = :name',
              parameters: { name: Type.Optional(Type.String({ maxLength: 50 })) },
              response: Type.Array(Type.Object({ name: Type.String() })),
            }),
          },
        },
      },
    }),
  ],
};

const start = (adapter: ConfigObject, more: ConfigObject = {}, files = {}): Promise<TestPlatform> =>
  startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'database'],
    extra: [inCode],
    files: { ...PEOPLE, ...files },
    local: {
      'platform-db': { adapters: { shop: adapter } },
      ...authenticatedBy('people'),
      'platform-hosting': { apis: { Shop: { versions: { '1': { services: { ...services, ...more } } } } } },
    },
  });

const list = async (response: Response) => (await response.json()) as unknown;

function behaviour(it: jest.It, current: () => TestPlatform): void {
  const get = (to: string, headers = {}) => current().request(to, { headers });
  const post = (to: string, body: unknown) => current().request(to, sendJson(body));
  // Counts of PostgreSQL have 64 bits, and are strings.
  const size = async (to: string) => String(await list(await get(to)));

  it('binds the parameters of the route and the query, and returns rows with their types', async () => {
    const all = await get('/at-least/10');
    expect(all.status).toBe(200);
    expect(await list(all)).toEqual([
      { name: 'Lamp', price: 30, views: '9007199254740993' },
      { name: 'Table', price: 120, views: '1' },
    ]);
    expect(await list(await get('/at-least/0?prefix=G'))).toEqual([{ name: 'Glass', price: 5, views: null }]);
    expect(await list(await get('/at-least/0?limit=1'))).toHaveLength(1);
  });

  it.each(['/owners-0', '/owners-1'])(
    'binds numbers of routes that may be null as numbers (%s)',
    async (to) => {
      expect(await list(await get(`${to}/100`))).toEqual([{ owner: 'bob' }]);
      expect(await list(await get(`${to}/30`))).toEqual([{ owner: 'ada' }, { owner: 'bob' }]);
    },
  );

  it('binds each use of a parameter', async () => {
    const lamps = await list(await get('/repeated?low=30&high=30'));
    expect(lamps).toEqual([{ text: ':low', name: 'Lamp' }]);
    expect(await list(await get('/repeated?high=29&low=1'))).toEqual([{ text: ':low', name: 'Glass' }]);
  });

  it.each(["'", "x' or 1=1 --", '%27; drop table products; --', ':price', '$1', '?1'])(
    'never makes %p part of the statement',
    async (value) => {
      expect(await list(await get(`/named?name=${encodeURIComponent(value)}`))).toEqual([]);
      expect(await size('/count')).toBe('3');
    },
  );

  it('validates parameters by their schemas, and refuses others', async () => {
    expect((await get('/at-least/-1')).status).toBe(404);
    expect((await get('/at-least/1?limit=0')).status).toBe(400);
    expect((await get('/at-least/1?sort=x')).status).toBe(400);
    expect((await get('/cheapest')).status).toBe(400);
    expect((await post('/raise', { amount: 'x', name: 'Lamp' })).status).toBe(422);
    expect((await post('/raise', { amount: 1 })).status).toBe(422);
    expect((await post('/mine', {})).status).toBe(405);
  });

  it('returns one row, or 404, or a value', async () => {
    expect(await bodyOf(await get('/cheapest?price=100'))).toEqual({ name: 'Glass', price: 5 });
    expect((await get('/cheapest?price=1')).status).toBe(404);
    expect(await size('/count?price=6')).toBe('2');
  });

  it('knows the identity, and matches nothing for guests', async () => {
    expect(await list(await get('/mine', { Authorization: basic('ada', 'password') }))).toEqual([
      { name: 'Glass' },
      { name: 'Lamp' },
    ]);
    expect(await list(await get('/mine'))).toEqual([]);
  });

  it('changes data by POST, and explains what the database refuses', async () => {
    expect(await bodyOf(await post('/raise', { amount: 5, name: 'Glass' }))).toEqual({
      name: 'Glass',
      price: 10,
    });
    expect(await bodyOf(await post('/raise', { amount: -5, name: 'Glass' }))).toEqual({
      name: 'Glass',
      price: 5,
    });
    expect((await post('/raise', { amount: 5, name: 'None' })).status).toBe(404);
    const refused = await post('/raise', { amount: -500, name: 'Glass' });
    const taken = await post('/rename', { name: 'Glass', to: 'Lamp' });
    expect([refused.status, taken.status]).toEqual([422, 409]);
    expect((await refused.text()) + (await taken.text())).not.toMatch(/products|update|price/i);
    expect((await post('/rename', { name: 'None', to: 'Lamp' })).status).toBe(204);
  });

  it('is documented like every service', async () => {
    const response = await get('/platform/documentation/Shop-v1', { Accept: 'application/vnd.apidesc+json' });
    const text = await response.text();
    expect(text).toContain('List products by price');
    expect(text).toContain('prefix');
    expect(text).not.toMatch(/select |:price/);
  });

  it('documents the statuses that its database brings about', async () => {
    const response = await get('/platform/documentation/Shop-v1', { Accept: 'application/vnd.apidesc+json' });
    const { paths } = (await response.json()) as {
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    };
    const statusesOf = (name: string, method: string): readonly string[] => {
      const found = Object.entries(paths).find(([path]) => path.endsWith(`/${name}`));
      return Object.keys(found?.[1][method]?.responses ?? {});
    };
    expect(statusesOf('cheapest', 'get')).toEqual(expect.arrayContaining(['200', '404', '503']));
    expect(statusesOf('mine', 'get')).not.toContain('404');
    expect(statusesOf('raise', 'post')).toEqual(expect.arrayContaining(['200', '404', '409', '503', '507']));
    expect(statusesOf('rename', 'post')).toContain('422');
    expect(statusesOf('rename', 'post')).toEqual(expect.arrayContaining(['204', '409', '503', '507']));
  });
}

const MISTAKES: readonly (readonly [ConfigObject, RegExp])[] = [
  [service('/x', 'select name\nfrm products'), /: sql, line 2, column \d+: .*"(frm|products)"/],
  [service('/x', 'select missing from products'), /: sql, line 1, column 8: .*missing/],
  [
    service('/x', 'select 1 as one where 1 < :prise', { parameters: price }),
    /has the parameter ":prise", which "parameters" does not declare\. Did you mean ":price"/,
  ],
  [service('/x', 'select 1 as one', { parameters: price }), /declares "price", which sql does not use/],
  [
    service('/x', 'select 1 as one; drop table products'),
    /has several statements\. Write one: line 1, column 16/,
  ],
  [service('/x', 'select $1 as one'), /has the parameter \$1\. Name it/],
  [service('/x', 'delete from products'), /changes data\. Set "read_only": false/],
  [service('/x', '-- all\n/* of "them" */ delete from products'), /changes data\. Set "read_only": false/],
  [{ kind: 'procedure', adapter_name: 'shop', route: '/x' }, /has either "sql" or "function_name"/],
];

function mistakes(it: jest.It, adapter: () => ConfigObject): void {
  it.each(MISTAKES)('reports mistakes in %p at the start', async (declared, message) => {
    const refusal = await startRefusal({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': { adapters: { shop: adapter() } },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Wrong: declared } } } } } },
      },
    });
    expect(refusal).toMatch(message);
    expect(refusal).toContain('The service Wrong of Shop-v1');
  });
}

describe('a procedure service of SQLite', () => {
  let platform: TestPlatform;
  let adapter: ConfigObject;
  beforeAll(async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'procedure-')), 'shop.sqlite');
    const database = openDatabase(file);
    database.exec(tables('INTEGER PRIMARY KEY'));
    database.close();
    adapter = { adapter: 'SqliteAdapter', options: { file, statement_timeout: 1 } };
    platform = await start(adapter, {
      Slow: service(
        '/slow',
        'with recursive n (i) as (select 1 union all select i + 1 from n where i < :steps) select count(*) as size from n',
        { parameters: { steps: { type: 'integer' } }, result: 'value' },
      ),
    });
  }, 60_000);
  // The thread of the slow query ends by itself.
  afterAll(() => platform.stop(), 60_000);

  behaviour(it, () => platform);
  mistakes(it, () => adapter);

  it('ends a query at its time limit, and serves others meanwhile', async () => {
    const slow = platform.request('/slow?steps=30000000');
    const order: string[] = [];
    await Promise.all([
      slow.then(() => order.push('slow')),
      platform.request('/count').then(() => order.push('count')),
    ]);
    expect(order).toEqual(['count', 'slow']);
    expect((await slow).status).toBe(503);
  });

  it('has no functions', async () => {
    const refusal = await startRefusal({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': { adapters: { shop: adapter } },
        'platform-hosting': {
          apis: {
            Shop: {
              versions: {
                '1': {
                  services: {
                    Wrong: { kind: 'procedure', adapter_name: 'shop', route: '/x', function_name: 'f' },
                  },
                },
              },
            },
          },
        },
      },
    });
    expect(refusal).toMatch(/functions are those of PostgreSQL/);
  });
});

const FUNCTIONS = `
  CREATE FUNCTION cheaper_than(price integer, owner text, "limit" integer DEFAULT 2)
    RETURNS TABLE (name text, since timestamptz, tags text[], data jsonb) LANGUAGE sql STABLE AS $$
      SELECT p.name, '2026-01-02T03:04:05Z'::timestamptz, ARRAY['a', p.name], jsonb_build_object('price', p.price)
      FROM products p WHERE p.price < $1 AND (p.owner = $2 OR $2 IS NULL) ORDER BY p.price LIMIT $3 $$;
  CREATE FUNCTION total(factor numeric DEFAULT 1) RETURNS numeric LANGUAGE sql STABLE AS 'SELECT sum(price) * factor FROM products';
  CREATE FUNCTION sneaky() RETURNS integer LANGUAGE sql VOLATILE AS 'DELETE FROM products; SELECT 1';
  CREATE FUNCTION checked(amount integer) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN IF amount > 1 THEN RAISE EXCEPTION 'amount of products'; END IF; END $$;
  CREATE FUNCTION twice(a integer) RETURNS integer LANGUAGE sql AS 'SELECT a';
  CREATE FUNCTION twice(a text) RETURNS text LANGUAGE sql AS 'SELECT a';
  CREATE FUNCTION "the.total"() RETURNS integer LANGUAGE sql AS 'SELECT 1';
  CREATE SCHEMA stock;
  CREATE FUNCTION stock.reserved() RETURNS integer LANGUAGE sql AS 'SELECT 1';
  CREATE PROCEDURE forget(name text) LANGUAGE sql AS 'DELETE FROM products WHERE products.name = forget.name';`;

const fn = (name: string, more: ConfigObject = {}): ConfigObject => ({
  kind: 'procedure',
  adapter_name: 'shop',
  function_name: name,
  route: `/${name.replaceAll('_', '-')}`,
  ...more,
});

const withPostgres = withPrograms('postgres');

withPostgres.describe('a procedure service of PostgreSQL', () => {
  const { it } = withPostgres;
  let platform: TestPlatform;
  let server: PostgresServer;
  const adapter = (): ConfigObject => ({
    adapter: 'PostgresAdapter',
    options: { url: server.url(), statement_timeout: 1 },
  });
  beforeAll(async () => {
    server = await PostgresServer.start();
    await server
      .adapter()
      .runScripts([tables('INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY'), FUNCTIONS]);
    platform = await start(adapter(), {
      CheaperThan: fn('cheaper_than', { arguments: { owner: 'identity.name' } }),
      Total: fn('total'),
      Sneaky: fn('sneaky'),
      Checked: fn('checked', { read_only: false }),
      Forget: fn('forget', { read_only: false }),
      Since: service(
        '/since',
        `-- When?\n/* (as text) */ ((select timestamptz '2026-01-02T03:04:05Z' as since))`,
      ),
      Slow: service('/slow', 'select pg_sleep(:seconds)', {
        parameters: { seconds: { type: 'number' } },
        result: 'value',
      }),
    });
  }, 60_000);
  afterAll(async () => {
    await platform.stop();
    await server.close();
  });

  behaviour(it, () => platform);
  mistakes(it, adapter);

  it('calls functions with the types of their parameters and results', async () => {
    const response = await platform.request('/cheaper-than?price=100');
    expect(await list(response)).toEqual([
      { name: 'Glass', since: '2026-01-02T03:04:05Z', tags: ['a', 'Glass'], data: { price: 5 } },
      { name: 'Lamp', since: '2026-01-02T03:04:05Z', tags: ['a', 'Lamp'], data: { price: 30 } },
    ]);
    const mine = await platform.request('/cheaper-than?price=200&limit=1', {
      headers: { Authorization: basic('bob', 'password') },
    });
    expect(await list(mine)).toMatchObject([{ name: 'Table' }]);
    expect((await platform.request('/cheaper-than?price=x')).status).toBe(400);
    expect((await platform.request('/cheaper-than?price=1&owner=bob')).status).toBe(400);
    expect((await platform.request('/cheaper-than')).status).toBe(400);
    expect(await list(await platform.request('/total'))).toBe('155');
    expect(await list(await platform.request('/total?factor=0.5'))).toBe('77.5');
  });

  it('knows the types of a statement after comments and parentheses', async () => {
    expect(await list(await platform.request('/since'))).toEqual([{ since: '2026-01-02T03:04:05Z' }]);
  });

  it('lets nothing change data that is not declared to', async () => {
    expect((await platform.request('/sneaky')).status).toBe(503);
    expect(await list(await platform.request('/count'))).toBe('3');
  });

  it('calls functions without a result, and procedures, whose exceptions become problems', async () => {
    const post = (to: string, body: unknown) => platform.request(to, sendJson(body));
    expect((await post('/checked', { amount: 1 })).status).toBe(204);
    const refused = await post('/checked', { amount: 2 });
    expect(refused.status).toBe(422);
    expect(await refused.text()).not.toContain('products');
    expect((await post('/forget', { name: 'None' })).status).toBe(204);
  });

  it('ends a query at its time limit', async () => {
    expect((await platform.request('/slow?seconds=30')).status).toBe(503);
  });

  it.each([
    [fn('cheaper_then'), /the function "cheaper_then" does not exist\. Did you mean "cheaper_than"/],
    [
      fn('the.total', { route: '/dotted' }),
      /the function "the\.total" does not exist\. Did you mean ""the\.total""\? Available: .*, stock\.reserved, .*, "the\.total",/,
    ],
    [fn('twice'), /exists 2 times/],
    [fn('total', { parameters: { factors: {} } }), /has no parameter "factors"\. Available: factor/],
    [fn('forget'), /is a procedure\. Set "read_only": false/],
  ])('reports functions that do not fit at the start: %p', async (declared, message) => {
    const refusal = await startRefusal({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': { adapters: { shop: adapter() } },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Wrong: declared } } } } } },
      },
    });
    expect(refusal).toMatch(message);
  });

  it('responds with 503 while the database is down, also at the start, and recovers', async () => {
    await server.stop();
    expect((await platform.request('/count')).status).toBe(503);
    const second = await start(adapter());
    const down = await second.request('/count');
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '2']);
    await server.start();
    const until = async (one: TestPlatform): Promise<unknown> => {
      for (;;) {
        const response = await one.request('/count');
        if (response.status === 200) return list(response);
      }
    };
    expect(await until(platform)).toBe('3');
    expect(await until(second)).toBe('3');
    await second.stop();
  });
});
