import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type {
  Row,
  SqlStatement,
  SqlValue,
} from '../../../../../src/modules/database/adapters/database-adapter';
import { plain, reading, SqliteFiles, writing } from '../../../../factories/database/sqlite';
import { ROOT } from '../../../../factories/platform';

const DRIVER = path.join(ROOT, 'dist/modules/database/adapters/sqlite/sqlite-driver.js');
const INDEX = 'CREATE INDEX products_by_price ON products (price, id)';

const files = new SqliteFiles();
afterAll(() => files.close());

/** The products after a price and an identifier, in this order. */
function pageAfter(columns = 'id, price', further: Partial<SqlStatement> = {}): SqlStatement {
  const texts = ['price = ? AND id > ?', 'price > ?'].map(
    (conditions) => `SELECT ${columns} FROM products WHERE ${conditions} ORDER BY products.price, id LIMIT ?`,
  );
  return {
    text: `${texts.map((text) => `SELECT * FROM (${text})`).join(' UNION ALL ')} LIMIT ?`,
    kind: 'read',
    parts: texts.map((text) => ({ text, parameters: text.split('?').length - 1 })),
    ...further,
  };
}

const position = (price: number, id: number, limit: number): readonly SqlValue[] => [
  ...[price, id, limit],
  ...[price, limit],
  limit,
];

const idsOf = (found: readonly Row[]): readonly unknown[] => found.map(({ id }) => id);

describe('A page of SQLite that is put together from parts', () => {
  it.each([
    ['all', 3000, [INDEX]],
    ['all in a thread', 3000, []],
  ])('has %s of the rows after a position, in their order', async (_, size, indexes) => {
    const adapter = await files.shop(size);
    await adapter.runScripts(indexes);
    const all = plain(
      await adapter.execute({ text: 'SELECT id, price FROM products ORDER BY price, id', kind: 'read' }, []),
    );
    for (const [at, limit] of [
      [0, 10],
      [0, 29],
      [25, 4],
      [25, 5],
      [25, 100],
      [29, 3],
      [2990, 100],
      [2999, 3],
    ] as const) {
      const { price, id } = all[at] ?? {};
      const values = position(Number(price), Number(id), limit);
      const found = adapter.execute(pageAfter(), values);
      expect(found instanceof Promise).toBe(indexes.length === 0);
      expect(plain(await found)).toEqual(all.slice(at + 1, at + 1 + limit));
      const inTransaction = await adapter.transaction(async (executor) =>
        executor.execute(pageAfter(), values),
      );
      expect(plain(inTransaction)).toEqual(all.slice(at + 1, at + 1 + limit));
    }
  });

  it('ends where the texts of all parts together are long', async () => {
    const adapter = await files.shop(200);
    await adapter.runScripts([
      INDEX,
      `UPDATE products SET maker = printf('%.*c', 1048576, 'x') WHERE price < 20`,
    ]);
    const page = pageAfter('id, maker', { isPage: true });
    // Two rows have each price.
    expect(idsOf(await adapter.execute(page, position(2, 0, 50)))).toEqual([1, 101, 2, 102, 3]);
    expect(idsOf(await adapter.execute(page, position(2, 1, 50)))).toEqual([101, 2, 102, 3, 103]);
    expect(idsOf(await adapter.execute(page, position(2, 1, 3)))).toEqual([101, 2, 102]);
    expect(await adapter.execute(page, position(50, 0, 50))).toHaveLength(50);
  });

  it.each([false, true])(
    'names the column of a number that it cannot have, and is read again',
    async (isPage) => {
      const adapter = await files.shop(300);
      await adapter.runScripts([INDEX, 'UPDATE products SET maker = 9007199254740993 WHERE price = 7']);
      const page = pageAfter('id, maker + 0 AS maker', { isPage });
      const read = async (price: number): Promise<readonly unknown[]> =>
        idsOf(await adapter.execute(page, position(price, 0, 4)));
      for (const price of [6, 7])
        await expect(read(price)).rejects.toMatchObject({
          kind: 'unreadable',
          message: expect.stringContaining('"maker"') as string,
        });
      expect(await read(8)).toEqual([7, 107, 207, 8]);
      await adapter.execute(writing('UPDATE products SET maker = NULL'), []);
      expect(await read(6)).toEqual([5, 105, 205, 6]);
    },
  );

  it('runs in a thread after one of its parts was slow three times in a row, whichever parts other pages needed', async () => {
    const adapter = await files.shop(300);
    await adapter.runScripts([INDEX]);
    const { text, parts: [ties, others] = [] } = pageAfter();
    if (ties === undefined || others === undefined) throw new Error('no parts');
    const slow = others.text.replace('price > ?', 'price > ? + 0 * length(hex(zeroblob(40000000)))');
    const page = { text, kind: 'read', parts: [ties, { ...others, text: slow }] } as const;
    // Three rows have each price.
    const needsBoth = position(50, 0, 10);
    const needsFirst = position(50, 0, 2);
    for (const values of [needsBoth, needsBoth, needsFirst, needsBoth])
      expect(adapter.execute(page, values)).not.toBeInstanceOf(Promise);
    const found = adapter.execute(page, needsBoth);
    expect(found).toBeInstanceOf(Promise);
    expect(await found).toHaveLength(10);
    // The other part was not slow.
    expect(adapter.execute(reading(ties.text), [50, 0, 10])).toHaveLength(3);
  });

  it('has each row once while another process moves rows from one part to another', async () => {
    const adapter = await files.shop(200);
    await adapter.runScripts([INDEX]);
    const child = spawn(
      process.execPath,
      [
        '-e',
        `const { openDatabase } = require(${JSON.stringify(DRIVER)});
         const database = openDatabase(${JSON.stringify(adapter.target)});
         database.exec('PRAGMA busy_timeout = 10000; PRAGMA synchronous = OFF');
         const move = database.prepare('UPDATE products SET price = 103 - price WHERE id = 150');
         for (;;) move.all();`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    try {
      let moves = 0;
      for (let last: unknown; moves < 300;) {
        expect([child.exitCode, child.signalCode]).toEqual([null, null]);
        // Lets the end of the process and the time limit of the test be noticed.
        await setImmediate();
        const page = await adapter.execute(pageAfter(), position(51, 0, 200));
        const ids = idsOf(page);
        expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
        const { price } = page.find(({ id }) => id === 150) ?? {};
        if (price !== last) moves += 1;
        last = price;
      }
    } finally {
      const closed = once(child, 'close');
      if (child.kill()) await closed;
    }
  }, 120_000);
});
