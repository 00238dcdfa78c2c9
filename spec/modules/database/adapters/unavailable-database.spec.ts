import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../../src/framework';
import { openDatabase } from '../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { startTestPlatform } from '../../../factories/platform';
import { sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const service: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'products',
  route: '/products[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, name: {} },
  filters: { name: ['eq'] },
  collection: { GET: { sort: ['name'] } },
  entity: { GET: {} },
};
const local = (file: string, product: ConfigObject = service): ConfigObject => ({
  'platform-db': { adapters: { shop: { adapter: 'SqliteAdapter', options: { file } } } },
  'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Product: product } } } } } },
});
const modules = [...HOSTING, 'database'];

function createTable(file: string): void {
  const database = openDatabase(file);
  database.exec(
    "CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT, hidden TEXT); INSERT INTO products VALUES (1, 'Lamp', '')",
  );
  database.close();
}

describe('a service whose database cannot be opened', () => {
  it('responds with 503 after the start, and with its rows as soon as the database can be opened', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'lost-')), 'shop.sqlite');
    mkdirSync(file);
    const platform = await startTestPlatform({ modules, local: local(file) });
    try {
      expect(platform.application.warnings.join('\n')).toContain('Its services respond with 503');
      const refused = await platform.request('/products/1');
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('2');
      expect((await platform.request('/products?name.eq=x')).status).not.toBe(500);
      const query = sendJson({ filter: { not: { name: { eq: 'x' } } }, fields: ['id'] });
      expect((await platform.request('/products/query', query)).status).toBe(503);
      rmSync(file, { recursive: true });
      createTable(file);
      for (let response = refused; response.status !== 200;) response = await platform.request('/products/1');
      expect(await (await platform.request('/products/1')).json()).toEqual({ id: 1, name: 'Lamp' });
    } finally {
      await platform.stop();
    }
  }, 60_000);

  it('responds with 503 to a query in the body also if its only filters are in SQL', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'lost-')), 'shop.sqlite');
    mkdirSync(file);
    const filtered = { ...service, filters: {}, sql_filters: { named: { where: 'name = :value' } } };
    const platform = await startTestPlatform({ modules, local: local(file, filtered) });
    try {
      const query = sendJson({ filter: { named: 'Lamp' } });
      expect((await platform.request('/products/query', query)).status).toBe(503);
    } finally {
      await platform.stop();
    }
  });
});

describe('the warning of a database that cannot be reached', () => {
  it.each([
    [
      'the error of a refused connection',
      { adapter: 'PostgresAdapter', options: { url: 'postgres://127.0.0.1:1/shop' } },
    ],
    ['the error of SQLite', { adapter: 'SqliteAdapter', options: { file: tmpdir() } }],
  ])('has %s as a sentence', async (_, adapter) => {
    const settings = { ...local('unused'), 'platform-db': { adapters: { shop: adapter } } };
    const platform = await startTestPlatform({ modules, local: settings });
    try {
      expect(platform.application.warnings).toContainEqual(
        expect.stringMatching(
          /cannot be reached: .*[^.]\. Its services respond with 503 until it can\./,
        ) as unknown,
      );
    } finally {
      await platform.stop();
    }
  });
});

describe('a declaration that does not fit its table', () => {
  let file: string;
  beforeAll(() => {
    file = path.join(mkdtempSync(path.join(tmpdir(), 'wrong-')), 'shop.sqlite');
    createTable(file);
  });

  it.each<[message: string, change: ConfigObject]>([
    ['the database adapter "shpo" is not configured. Did you mean "shop"?', { adapter_name: 'shpo' }],
    ['has no table or view "product". Did you mean "products"?', { table_name: 'product' }],
    [
      'names the column "nmae", which products does not have. Did you mean "name"?',
      { columns: { id: {}, nmae: {} } },
    ],
    ['"id" identifies an entity, and is not among its columns', { columns: { name: {} } }],
    ['"name" identifies an entity, and is not unique in products', { entity_identifier_name: 'name' }],
    [
      'Name its primary key, "route_identifier_name": "id", or add a unique index.',
      { entity_identifier_name: 'name' },
    ],
    [
      '"id" and "name" identify an entity together, and are not unique in products.',
      { route: '/products[/:id/:name]', route_identifier_name: ['id', 'name'] },
    ],
    [
      'entity_identifier_name has 1 columns, and route_identifier_name has 2 parameters',
      {
        route: '/products[/:id/:name]',
        route_identifier_name: ['id', 'name'],
        entity_identifier_name: 'id',
      },
    ],
    ['filters names "hidden", which is not among its columns', { filters: { hidden: ['eq'] } }],
    ['filters.name[0]: is "equals"', { filters: { name: ['equals'] } }],
    [
      'columns.name.embed: the column "name" is not a foreign key',
      { columns: { id: {}, name: { embed: { columns: ['id'] } } } },
    ],
    ['has no table_name', { table_name: null }],
  ])('is an error at the start: %s', async (message, change) => {
    expect(await startRefusal({ modules, local: local(file, { ...service, ...change }) })).toContain(message);
  });

  it('is an error with a hint at the missing key of an adapter', async () => {
    const settings = {
      ...local(file),
      'platform-db': { adapters: { shop: { adapter: 'PostgresAdapter', options: {} } } },
    };
    expect(await startRefusal({ modules, local: settings })).toContain('A PostgresAdapter needs "url"');
  });

  it.each([
    [
      'platform-db.adapters.spare.adapter: no module binds a database adapter factory named "SqliteAdaptr". Did you mean "SqliteAdapter"?',
      { adapter: 'SqliteAdaptr', options: {} },
    ],
    [
      'platform-db.adapters.spare.options.fil: unknown key. Did you mean "file"?',
      { adapter: 'SqliteAdapter', options: { fil: 'spare.sqlite' } },
    ],
  ])('is an error at the start, also of a database that no service uses: %s', async (message, spare) => {
    expect(await startRefusal({ modules, local: { 'platform-db': { adapters: { spare } } } })).toContain(
      message,
    );
  });
});
