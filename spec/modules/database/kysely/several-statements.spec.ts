import { kyselyOver } from '../../../../src/modules/database/kysely/kysely-over';
import { sql } from '../../../../src/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { SqliteFiles } from '../../../factories/database/sqlite';

interface Tables {
  products: { name: string; maker: string | null };
}

const files = new SqliteFiles();
afterAll(() => files.close());

it('A query of Kysely has one statement, and SQLite executes none of several', async () => {
  const db = kyselyOver<Tables>(await files.shop(1));
  const makers = () => db.selectFrom('products').select('maker').execute();
  const both = sql`UPDATE products SET maker = 'first'; UPDATE products SET name = 'second'`;
  await expect(both.execute(db)).rejects.toThrow('A query has several statements.');
  expect(await makers()).toEqual([{ maker: null }]);
  await sql`UPDATE products SET maker = 'a;b' -- The only one;
    ;`.execute(db);
  expect(await makers()).toEqual([{ maker: 'a;b' }]);
});

withPrograms('postgres').it(
  'PostgreSQL executes none of several statements either',
  async () => {
    const server = await PostgresServer.start();
    try {
      const adapter = server.adapter();
      await adapter.runScripts([
        "CREATE TABLE products (name TEXT, maker TEXT); INSERT INTO products VALUES ('a', NULL)",
      ]);
      const db = kyselyOver<Tables>(adapter);
      const both = sql`UPDATE products SET maker = 'first'; UPDATE products SET name = 'second'`;
      await expect(both.execute(db)).rejects.toThrow('A query has several statements.');
      const rows = await db.selectFrom('products').select('maker').execute();
      expect(rows.map(({ maker }) => maker)).toEqual([null]);
    } finally {
      await server.close();
    }
  },
  60_000,
);

withPrograms('postgres').it(
  'A transaction of Kysely that cannot have its isolation level keeps no connection',
  async () => {
    const server = await PostgresServer.start();
    try {
      const db = kyselyOver<Tables>(server.adapter({ pool: 1, statement_timeout: 120 }));
      const failing = (one: typeof db): Promise<void> =>
        one
          .transaction()
          .setIsolationLevel('snapshot')
          .execute(() => Promise.resolve());
      await expect(failing(db)).rejects.toThrow('syntax error');
      expect((await sql`SELECT 1`.execute(db)).rows).toHaveLength(1);
      const { rows } = await db.connection().execute(async (connection) => {
        await expect(failing(connection)).rejects.toThrow('syntax error');
        return sql`SELECT 1`.execute(connection);
      });
      expect(rows).toHaveLength(1);
    } finally {
      await server.close();
    }
  },
  60_000,
);
