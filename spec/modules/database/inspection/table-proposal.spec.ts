import { proposeService } from '../../../../src/modules/database/inspection/table-proposal';
import { SqliteFiles } from '../../../factories/database/sqlite';

const files = new SqliteFiles();
afterAll(() => files.close());

it('A proposed service leaves out columns that are named like secrets', async () => {
  const adapter = files.adapter();
  const names = [
    'name',
    'keyboard',
    'password',
    'pwd',
    'api_key',
    'apikey',
    'private_key',
    'accessKey',
    'salt',
  ];
  await adapter.runScripts([
    `CREATE TABLE users (id INTEGER PRIMARY KEY, ${names.map((one) => `${one} TEXT`).join()})`,
  ]);
  const { users } = (await adapter.introspect()).tables;
  const columns = users === undefined ? [] : proposeService(users).columns;
  expect(columns.filter(({ isIncluded }) => isIncluded).map(({ name }) => name)).toEqual([
    'id',
    'name',
    'keyboard',
  ]);
});

it.each([
  ['order_lines', 'OrderLine', '/order-lines'],
  ['sales.orders', 'Order', '/orders'],
  ['sales."orders.2026"', 'Orders2026', '/orders-2026'],
  ['"v1.items"', 'V1Item', '/v1-items'],
  ['"my ""own"" v1.items"', 'MyOwnV1Item', '/my-own-v1-items'],
])('A service over the table %s is proposed as %s at %s', (table, name, route) => {
  const empty = { columns: {}, primaryKey: [], unique: [], indexes: [], foreignKeys: [] };
  expect(proposeService({ name: table, kind: 'table', ...empty })).toMatchObject({ name, route });
});

it.each([
  ['v1.items', 'V1Item', '/v1-items[/:id]'],
  ['orders.2026', 'Orders2026', '/orders-2026[/:id]'],
])('A service over the table %s of SQLite is proposed as %s at %s', async (table, name, route) => {
  const adapter = files.adapter();
  await adapter.runScripts([`CREATE TABLE "${table}" (id INTEGER PRIMARY KEY)`]);
  const model = (await adapter.introspect()).tables[table];
  expect(model && proposeService(model, adapter.dialect)).toMatchObject({ name, route });
});

it('A column whose values no URL has is not proposed to identify entities', () => {
  const column = { isNullable: false, declared: '' };
  const columns = {
    tags: { ...column, type: 'text', isArray: true },
    document: { ...column, type: 'json' },
    code: { ...column, type: 'text' },
  } as const;
  const none = { columns, indexes: [], foreignKeys: [] };
  const unique = [['document'], ['code'], ['code', 'tags']];
  expect(
    proposeService({ name: 'things', kind: 'table', primaryKey: ['tags'], unique, ...none }),
  ).toMatchObject({
    identifier: ['code'],
    identifiers: [['code']],
    route: '/things[/:code]',
  });
  expect(
    proposeService({ name: 'listed', kind: 'view', primaryKey: [], unique: [], ...none }).identifiers,
  ).toEqual([['code']]);
});
