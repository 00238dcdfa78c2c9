import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';

const table = (route: string, table_name: string, columns: readonly string[], more: object = {}) => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name,
  route: `/${route}[/:id]`,
  route_identifier_name: 'id',
  columns: Object.fromEntries(columns.map((name) => [name, {}])),
  collection: { GET: {} },
  entity: { GET: {} },
  ...more,
});

const services = {
  Product: table('products', 'products', ['id', 'price'], { filters: { price: ['gte'] } }),
  ProductName: table('names', 'products', ['id', 'name']),
  Maker: table('makers', 'makers', ['id', 'name']),
  Cheapest: {
    kind: 'procedure',
    adapter_name: 'shop',
    route: '/cheapest',
    sql: 'select min(price) as price from products',
  },
};

describeOnBothDatabases(
  'tables that change while their services run, without a snapshot',
  {
    sql: () => `CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price INTEGER);
      CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);`,
    services,
  },
  ({ it, platform, execute }) => {
    const statuses = async (): Promise<Record<string, number>> => {
      const paths = ['products', 'names', 'makers', 'cheapest'];
      const all = await Promise.all(
        paths.map(async (one) => [one, (await platform().request(`/${one}`)).status] as const),
      );
      return Object.fromEntries(all);
    };
    const warnings = (): string => platform().application.warnings.join('\n');
    const available = { products: 200, names: 200, makers: 200, cheapest: 200 };

    it('disable only the services that use them, over any number of reloads', async () => {
      expect(await statuses()).toEqual(available);
      await execute('ALTER TABLE products RENAME COLUMN price TO cost');
      for (let reloads = 0; reloads < 2; reloads++) {
        await platform().host.reload();
        expect(await statuses()).toEqual({ ...available, products: 503, cheapest: 503 });
        expect(warnings()).toContain(
          'The service Product of Shop-v1: columns names the column "price", which products does not have.',
        );
        expect(warnings()).toMatch(/The service Cheapest of Shop-v1: sql.*price.* has changed since/s);
      }
      const response = await platform().request('/products?price.gte=1');
      const text = await response.text();
      expect(text).toContain('database_mismatch');
      expect(text).not.toMatch(/price|products does/);
      await execute('ALTER TABLE products RENAME COLUMN cost TO price');
      await platform().host.reload();
      expect(await statuses()).toEqual(available);
      expect(warnings()).not.toContain('has changed since');
    });

    it('can be removed', async () => {
      await execute('ALTER TABLE makers RENAME TO manufacturers');
      await platform().host.reload();
      expect(await statuses()).toEqual({ ...available, makers: 503 });
      expect(warnings()).toContain('has no table or view "makers"');
      await execute('ALTER TABLE manufacturers RENAME TO makers');
      await platform().host.reload();
      expect(await statuses()).toEqual(available);
    });

    it('do not excuse a mistake in a declaration that is new', async () => {
      const { root, host } = platform();
      const file = path.join(root, 'config/autoload/mistake.local.json');
      const Product = { columns: { nmae: {} }, filters: { proce: ['eq'] } };
      const Maker = { columns: { titel: {} } };
      const versions = { '1': { services: { Product, Maker } } };
      writeFileSync(file, JSON.stringify({ 'platform-hosting': { apis: { Shop: { versions } } } }));
      const failed = await host.reload().then(
        () => 'reloaded',
        (error: unknown) => String(error),
      );
      for (const name of ['nmae', 'proce', 'titel']) expect(failed).toContain(`"${name}"`);
      expect(await statuses()).toEqual(available);
    });
  },
);
