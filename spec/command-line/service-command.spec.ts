import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { registerService } from '../../src/command-line/service-command';
import { openDatabase } from '../../src/modules/database/adapters/sqlite/sqlite-driver';
import { WITH_ADMIN } from '../factories/admin/admin';
import { runWords, type CommandResult } from '../factories/processes/command';
import { makeProject } from '../factories/platform';
import { SHOP } from '../factories/database/sqlite';

let root: string;
beforeEach(() => {
  root = makeProject({
    modules: [...WITH_ADMIN.filter((name) => name !== 'atlas'), 'database'],
    local: {
      'platform-db': {
        adapters: { shop: { adapter: 'SqliteAdapter', options: { file: 'data/shop.sqlite' } } },
      },
    },
  });
  mkdirSync(path.join(root, 'data'));
  const database = openDatabase(path.join(root, 'data/shop.sqlite'));
  database.exec(SHOP);
  database.exec(
    `CREATE TABLE "Staff Member" ("Staff ID" INTEGER PRIMARY KEY, name TEXT);
     CREATE TABLE shifts ("Staff ID" INTEGER, day TEXT, note TEXT, PRIMARY KEY ("Staff ID", day));
     CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT);`,
  );
  database.close();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const addTable = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerService], ['service', 'add-table', ...words, '--root', root], { USER: 'grace' });

const local = (): unknown => JSON.parse(readFileSync(path.join(root, 'config/autoload/local.json'), 'utf8'));

const WORDS = [
  ...['--table', 'products', '--api', 'Shop', '--version', '1', '--route', '/shop/products[/:id]'],
  ...[
    '--columns',
    'id,name,price',
    '--operations',
    'list,get',
    '--filters',
    'price.gte,price.lte,name.starts',
  ],
];

describe('apidesc-platform service add-table', () => {
  it('prints the operations and the difference, and writes nothing', async () => {
    const { code, out } = await addTable(...WORDS);
    expect([code, out]).toEqual([0, expect.stringContaining('GET /v1/shop/products (everyone)\n') as string]);
    expect(out).toContain(
      '+ platform-hosting.apis.Shop.versions.1.services.Product.table_name = "products"\n',
    );
    expect(out).toContain('Nothing was written. Add --yes to apply it.\n');
    expect(local()).not.toHaveProperty('platform-hosting');
  });

  it('adds the service with --yes', async () => {
    const { code, out } = await addTable(...WORDS, '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('to Shop-v1. (revision 1)') as string]);
    expect(local()).toMatchObject({
      'platform-hosting': {
        apis: {
          Shop: {
            versions: {
              1: {
                services: {
                  Product: {
                    columns: { id: {}, name: {}, price: {} },
                    filters: { price: ['gte', 'lte'], name: ['starts'] },
                    collection: { GET: {} },
                  },
                },
              },
            },
          },
        },
      },
    });
  });

  it.each<[table: string, words: readonly string[], declared: object]>([
    [
      'Staff Member',
      [],
      {
        route: '/staff-member[/:staff_id]',
        route_identifier_name: 'staff_id',
        entity_identifier_name: 'Staff ID',
      },
    ],
    [
      'Staff Member',
      ['--route', '/staff[/:number]'],
      {
        route: '/staff[/:number]',
        route_identifier_name: 'number',
        entity_identifier_name: 'Staff ID',
      },
    ],
    [
      'shifts',
      ['--route', '/shifts[/:day/:who]'],
      {
        route: '/shifts[/:day/:who]',
        route_identifier_name: ['who', 'day'],
        entity_identifier_name: ['Staff ID', 'day'],
      },
    ],
  ])('adds %s, whose key cannot be a parameter of a route: %j', async (table, words, declared) => {
    const { code } = await addTable('--table', table, '--api', 'Shop', ...words, '--yes');
    expect(code).toBe(0);
    const { 'platform-hosting': hosting } = local() as {
      'platform-hosting': { apis: { Shop: { versions: { 1: { services: object } } } } };
    };
    expect(Object.values(hosting.apis.Shop.versions[1].services)).toEqual([
      expect.objectContaining(declared),
    ]);
  });

  it('adds a table whose columns have commas in their names', async () => {
    const database = openDatabase(path.join(root, 'data/shop.sqlite'));
    database.exec('CREATE TABLE sizes ("size, cm" INTEGER PRIMARY KEY, name TEXT, "width, cm" INTEGER)');
    database.close();
    const { code, err } = await addTable(
      ...[
        '--table',
        'sizes',
        '--api',
        'Shop',
        '--identifier',
        'size, cm',
        '--columns',
        'name, size, cm , width, cm',
      ],
      ...['--filters', 'name.eq, width, cm.gte', '--sort', 'width, cm', '--yes'],
    );
    expect([code, err]).toEqual([0, expect.not.stringContaining('column')]);
    const sizes = {
      columns: { name: {}, 'size, cm': {}, 'width, cm': {} },
      entity_identifier_name: 'size, cm',
    };
    const filters = { 'width, cm': ['gte'], name: ['eq'] };
    expect(local()).toMatchObject({
      'platform-hosting': {
        apis: { Shop: { versions: { 1: { services: { Size: { ...sizes, filters } } } } } },
      },
    });
  });

  it('adds a table whose name a member of each page has', async () => {
    const { code } = await addTable('--table', 'page', '--api', 'Shop', '--yes');
    expect(code).toBe(0);
    expect(local()).toMatchObject({
      'platform-hosting': {
        apis: { Shop: { versions: { 1: { services: { Page: { route: '/page[/:id]' } } } } } },
      },
    });
  });

  it.each([
    [
      ['--table', 'product'],
      'The table "product" does not exist. Available: Staff Member, orders, page, products, shifts.',
    ],
    [
      ['--table', 'Staff Member', '--route', '/staff'],
      '/route: The route has no parameter ":staff_id". End it with [/:staff_id].',
    ],
    [['--table', 'products', '--adapter', 'shp'], '"shp" does not exist. Available: shop.'],
    [['--table', 'products', '--filters', 'price'], '--filters: "price" must be a column and an operator'],
    [['--table', 'products', '--operations', 'read'], '/operations: Unknown operation read.'],
    [['--table', 'products', '--version', 'x'], '/version: Enter an integer from 1 to 9007199254740991.'],
  ])('explains an error: %j', async (words, message) => {
    const { code, err } = await addTable(...words);
    expect([code, err]).toEqual([1, expect.stringContaining(message) as string]);
  });
});
