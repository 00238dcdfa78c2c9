import { inTransaction } from '../../../../src/modules/database/batch/transaction-scope';
import { kyselyOver } from '../../../../src/modules/database/kysely/kysely-over';
import type { Kysely } from '../../../../src/platform';
import { SqliteFiles } from '../../../factories/database/sqlite';

interface Tables {
  products: { id: number; name: string; price: number };
  orders: { id: number; product_id: number; amount: number };
}

type Run = <T>(action: (db: Kysely<Tables>) => Promise<T>) => Promise<T>;

describe('statements of Kysely in one transaction of SQLite, at the same time', () => {
  const files = new SqliteFiles();
  afterAll(() => files.close());

  it.each<[string, (adapter: Awaited<ReturnType<SqliteFiles['shop']>>) => Run]>([
    [
      'of a hook',
      (adapter) => (action) => inTransaction(adapter, (scope) => action(kyselyOver<Tables>(adapter, scope))),
    ],
    [
      'that Kysely has begun',
      (adapter) => (action) => kyselyOver<Tables>(adapter).transaction().execute(action),
    ],
  ])('have their own identifiers and numbers of rows: one %s', async (_, begin) => {
    const run = begin(await files.shop(3));
    const results = await run((db) =>
      Promise.all([
        db.insertInto('products').values({ name: 'ten', price: 1, id: 10 }).executeTakeFirstOrThrow(),
        db.updateTable('products').set({ price: 2 }).where('id', '<', 4).executeTakeFirstOrThrow(),
        db.insertInto('orders').values({ id: 20, product_id: 1, amount: 1 }).executeTakeFirstOrThrow(),
        db.deleteFrom('products').where('id', '=', 10).executeTakeFirstOrThrow(),
      ]),
    );
    expect(results).toMatchObject([
      { insertId: 10n, numInsertedOrUpdatedRows: 1n },
      { numUpdatedRows: 3n },
      { insertId: 20n, numInsertedOrUpdatedRows: 1n },
      { numDeletedRows: 1n },
    ]);
  });

  it('fail with the error of the statement', async () => {
    const adapter = await files.shop(1);
    const failing = inTransaction(adapter, (scope) =>
      kyselyOver<Tables>(adapter, scope)
        .insertInto('products')
        .values({ id: 1, name: 'one', price: 1 })
        .execute(),
    );
    await expect(failing).rejects.toMatchObject({ kind: 'unique' });
  });

  it('do not belong to it after its end, on the connection that had it', async () => {
    const db = kyselyOver<Tables>(await files.shop(1));
    const found = await db.connection().execute(async (connection) => {
      const insert = (one: Kysely<Tables>, id: number) =>
        one
          .insertInto('products')
          .values({ id, name: `new ${id}`, price: 1 })
          .execute();
      await connection.transaction().execute((transaction) => insert(transaction, 10));
      const failing = connection.transaction().execute(async (transaction) => {
        await insert(transaction, 11);
        throw new Error('A reason');
      });
      await expect(failing).rejects.toThrow('A reason');
      await insert(connection, 12);
      return connection.selectFrom('products').select('id').where('id', '>', 9).orderBy('id').execute();
    });
    expect(found).toEqual([{ id: 10 }, { id: 12 }]);
  });
});

describe('an inserted row of SQLite whose identifier is beyond 2^53', () => {
  const files = new SqliteFiles();
  afterAll(() => files.close());

  it('has this identifier in the result, and changes after it have their number of rows', async () => {
    const db = kyselyOver<{ orders: { id: bigint; amount: number } }>(await files.shop(1));
    const inserted = db.insertInto('orders').values({ id: 9007199254740993n, amount: 1 });
    expect((await inserted.executeTakeFirstOrThrow()).insertId).toBe(9007199254740993n);
    const changed = db.updateTable('orders').set({ amount: 2 });
    expect((await changed.executeTakeFirstOrThrow()).numUpdatedRows).toBe(1n);
  });
});
