import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPlatform, type RunningPlatform } from '../../../../src/start';
import { Databases } from '../../../../src/modules/database/adapters/databases';
import { DatabaseInspector } from '../../../../src/modules/database/inspection/database-inspector';
import { describeOnBothDatabases } from '../../../factories/database/both-databases';
import { MemoryLog } from '../../../factories/platform';

const service = (table: string, columns: readonly string[], more: object = {}) => ({
  kind: 'table',
  adapter_name: 'shop',
  table_name: table,
  route: `/${table}[/:id]`,
  route_identifier_name: 'id',
  columns: Object.fromEntries(['id', ...columns].map((name) => [name, {}])),
  collection: { GET: {} },
  entity: { GET: {} },
  ...more,
});

const services = {
  Product: service('products', ['price'], { filters: { price: ['gte'] } }),
  Maker: service('makers', ['name']),
  Town: service('towns', ['name']),
  Cheapest: {
    kind: 'procedure',
    adapter_name: 'shop',
    route: '/cheapest',
    sql: 'select min(price) as price from products',
  },
};

describeOnBothDatabases(
  'tables that changed before the snapshot was written again',
  {
    sql: () => `CREATE TABLE products (id INTEGER PRIMARY KEY, price INTEGER);
      CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT);`,
    services,
  },
  ({ it, platform, execute }) => {
    /** Writes the snapshot as administrators do. */
    const update = async (): Promise<void> => {
      const { application } = platform();
      const inspector = new DatabaseInspector(application, await Databases.of(application));
      await inspector.writeSnapshot('shop', await inspector.reviewSnapshot('shop'));
    };
    /** Starts the project again, while the platform runs. */
    const restarted = async <T>(action: (running: RunningPlatform) => Promise<T>): Promise<T> => {
      const environment = { PORT: '0', OPERATIONS_LISTEN: 'off' };
      const running = await startPlatform({ root: platform().root, log: new MemoryLog(), environment });
      try {
        return await action(running);
      } finally {
        await running.stop({ idleGrace: 0 });
      }
    };
    const statuses = async ({ origin }: RunningPlatform): Promise<readonly number[]> =>
      Promise.all(
        ['products', 'makers', 'towns', 'cheapest'].map(
          async (name) => (await fetch(`${origin}/${name}`)).status,
        ),
      );

    it('disable only the services that use them at the next start, until the database fits', async () => {
      await update();
      await execute('ALTER TABLE products RENAME COLUMN price TO cost');
      await update();
      await execute('ALTER TABLE makers RENAME TO manufacturers');
      await update();
      await restarted(async (running) => {
        expect(await statuses(running)).toEqual([503, 503, 200, 503]);
        const warnings = running.application.warnings.join('\n');
        expect(warnings).toContain('columns names the column "price", which products does not have.');
        expect(warnings).toContain('has no table or view "makers"');
        const documented = await fetch(`${running.origin}/platform/documentation/Shop-v1/Product`);
        expect(await documented.text()).toContain('price.gte');
      });
      await execute('ALTER TABLE products RENAME COLUMN cost TO price');
      await execute('ALTER TABLE manufacturers RENAME TO makers');
      await update();
      expect(await restarted(statuses)).toEqual([200, 200, 200, 200]);
    });

    it('do not excuse a column that never was there', async () => {
      await execute('ALTER TABLE products RENAME COLUMN price TO cost');
      await update();
      const versions = { '1': { services: { Product: { columns: { nmae: {} } } } } };
      const mistake = { 'platform-hosting': { apis: { Shop: { versions } } } };
      writeFileSync(
        path.join(platform().root, 'config/autoload/mistake.local.json'),
        JSON.stringify(mistake),
      );
      await expect(restarted(statuses)).rejects.toThrow('"nmae"');
    });
  },
);
