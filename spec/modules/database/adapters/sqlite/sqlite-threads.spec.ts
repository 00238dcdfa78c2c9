import { renameSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../../../../../src/modules/database/adapters/database-adapter';
import type { SqliteAdapter } from '../../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import {
  count,
  eachRow,
  fill,
  plain,
  reading,
  rows,
  SHOP,
  SqliteFiles,
  writing,
} from '../../../../factories/database/sqlite';
import { synchronous } from '../../../../factories/synchronous';

const ROWS = 20_000;
const LONG = count(2_000_000);
const SCAN = reading("SELECT count(*) AS n FROM products WHERE name LIKE '%7%'");

const files = new SqliteFiles();
let adapter: SqliteAdapter;

beforeAll(async () => {
  // The default limit is not enough for a long statement on a busy machine.
  adapter = await files.shop(ROWS, { statement_timeout: 60 });
});
afterAll(() => files.close());

test('statements that scan a large table run in a thread, and those by key do not', async () => {
  const found = adapter.execute(SCAN, []);
  expect(found).toBeInstanceOf(Promise);
  expect(plain(await found)).toEqual([{ n: 6878 }]);
  for (const text of [
    'SELECT name FROM products WHERE id = 5',
    "SELECT name FROM products WHERE name = 'product 5'",
    'SELECT name FROM products WHERE id > 50 ORDER BY id LIMIT 1',
  ])
    expect(synchronous(adapter.execute(reading(text), []))).toHaveLength(1);
});

test('a table that has grown is scanned in a thread', async () => {
  const growing = await files.shop(10);
  const statement = reading('SELECT count(*) AS n FROM products WHERE price <> 0');
  expect(plain(synchronous(growing.execute(statement, [])))).toEqual([{ n: 10 }]);
  await growing.execute(writing(fill(ROWS).replace("'product '", "'item '")), []);
  // Its size is read again after a second.
  await delay(1100);
  const found = growing.execute(statement, []);
  expect(found).toBeInstanceOf(Promise);
  expect(plain(await found)).toEqual([{ n: ROWS + 10 }]);
});

test('the rows of a page are read up to its length, in a transaction too', async () => {
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)';
  const page = {
    ...reading(`${numbers} SELECT i, printf('%.*c', 1000000, 'x') AS text FROM n`),
    isPage: true,
  };
  const numbersOf = (found: readonly Row[]) => found.map(({ i }) => i);
  expect(numbersOf(await adapter.execute(page, []))).toEqual([1, 2, 3, 4, 5]);
  const read = adapter.transaction(async (executor) => executor.execute(page, []));
  expect(numbersOf(await read)).toEqual([1, 2, 3, 4, 5]);
});

test('a long statement leaves the event loop free', async () => {
  const order: string[] = [];
  const long = Promise.resolve(adapter.execute(LONG, [])).then(() => order.push('long'));
  for (let tick = 0; tick < 5; tick++) {
    await delay(10);
    synchronous(adapter.execute(reading('SELECT name FROM products WHERE id = 5'), []));
    order.push('tick');
  }
  await long;
  expect(order).toEqual(['tick', 'tick', 'tick', 'tick', 'tick', 'long']);
});

test('a scan does not wait for a long statement', async () => {
  const order: string[] = [];
  await Promise.all([
    Promise.resolve(adapter.execute(LONG, [])).then(() => order.push('long')),
    Promise.resolve(adapter.execute(SCAN, [])).then(() => order.push('scan')),
  ]);
  expect(order).toEqual(['scan', 'long']);
});

describe('limits', () => {
  test('a statement that exceeds the time limit is rejected, and later ones are executed', async () => {
    const limited = files.adapter(adapter.target, { statement_timeout: 1.5 });
    await limited.execute(SCAN, []);
    const order: string[] = [];
    const long = Promise.resolve(limited.execute(count(60_000_000), [])).catch((error: unknown) => {
      order.push('timeout');
      throw error;
    });
    await expect(long).rejects.toMatchObject({ name: 'DatabaseError', kind: 'timeout' });
    expect(plain(await limited.execute(SCAN, []))).toEqual([{ n: 6878 }]);
    expect(order).toEqual(['timeout']);
  });

  test('an abort signal cancels a statement that runs, one that waits, and one that has not begun', async () => {
    const controller = new AbortController();
    const limits = { signal: controller.signal };
    const executions = [1, 2, 3, 4].map(() => Promise.resolve(adapter.execute(LONG, [], limits)));
    setTimeout(() => controller.abort(), 30);
    const results = await Promise.allSettled(executions);
    for (const result of results) expect(result).toMatchObject({ reason: { kind: 'timeout' } });
    expect(() => adapter.execute(SCAN, [], limits)).toThrow('cancelled');
    await expect(adapter.transaction(() => Promise.resolve(), limits)).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  test('a write that is cancelled changes nothing', async () => {
    const controller = new AbortController();
    const update = writing(
      `UPDATE products SET price = (SELECT c FROM (${LONG.text})) WHERE name LIKE '%1%' RETURNING id`,
    );
    setTimeout(() => controller.abort(), 30);
    const execution = Promise.resolve(adapter.execute(update, [], { signal: controller.signal }));
    await expect(execution).rejects.toMatchObject({ kind: 'timeout' });
    // It waits for the thread to roll back.
    await adapter.transaction(() => Promise.resolve());
    expect(await rows(adapter, 'SELECT count(*) AS n FROM products WHERE price > 1000')).toEqual([{ n: 0 }]);
  });

  test('a transaction whose statement is cancelled is rolled back', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    const transaction = adapter.transaction(
      async (executor) => {
        await executor.execute(writing("INSERT INTO products (name, price) VALUES ('cancelled', 1)"), []);
        await Promise.resolve(executor.execute(LONG, [])).catch(() => undefined);
        return 'done';
      },
      { signal: controller.signal },
    );
    await expect(transaction).rejects.toMatchObject({ kind: 'timeout' });
    expect(await rows(adapter, "SELECT id FROM products WHERE name = 'cancelled'")).toEqual([]);
  });
});

describe('streams', () => {
  const ALL = reading('SELECT id, name FROM products ORDER BY id');

  test('return all rows in their order', async () => {
    const ids: unknown[] = [];
    for await (const { id } of eachRow(adapter.stream(ALL, []))) ids.push(id);
    expect(ids).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  });

  test('read no more than a batch ahead', async () => {
    const text = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`;
    const found: Row[] = [];
    for await (const row of eachRow(adapter.stream(reading(text), []))) {
      found.push(row);
      if (found.length === 1200) break;
    }
    expect(found.at(-1)).toEqual({ i: 1200 });
  });

  test('stay at one state of the database, and block neither writes nor other reads', async () => {
    const own = await files.shop(2000);
    const stream = own.stream(ALL, [])[Symbol.asyncIterator]();
    await stream.next();
    await rows(own, 'DELETE FROM products WHERE id > 1');
    expect(await rows(own, 'SELECT count(*) AS n FROM products')).toEqual([{ n: 1 }]);
    let streamed = 500;
    for await (const batch of { [Symbol.asyncIterator]: () => stream }) streamed += batch.length;
    expect(streamed).toBe(2000);
  });

  test('end with the error of their statement, and when they are aborted', async () => {
    const controller = new AbortController();
    const read = async (text: string): Promise<void> => {
      for await (const row of eachRow(adapter.stream(reading(text), [], { signal: controller.signal })))
        if (row.id === 700) controller.abort();
    };
    await expect(read('SELECT * FROM missing')).rejects.toMatchObject({ kind: 'schema' });
    await expect(read('SELECT 9007199254740993 AS x')).rejects.toMatchObject({ kind: 'unreadable' });
    await expect(read(ALL.text)).rejects.toMatchObject({ kind: 'timeout' });
  });
});

test('a stream that begins after another file has taken the place of the database reads that file', async () => {
  const replaced = await files.shop(1);
  const streamed = async (): Promise<number> => {
    let count = 0;
    for await (const batch of replaced.stream(reading('SELECT id FROM products'), [])) count += batch.length;
    return count;
  };
  const replaceBy = async (count: number): Promise<void> => {
    const other = `${replaced.target}.other`;
    const database = openDatabase(other);
    database.exec(`${SHOP}${fill(count)}`);
    database.close();
    for (const suffix of ['-wal', '-shm']) rmSync(replaced.target + suffix, { force: true });
    renameSync(other, replaced.target);
    // It looks every 100 ms whether the file is another one.
    await delay(150);
  };
  expect(await streamed()).toBe(1);
  await replaceBy(3);
  expect(await streamed()).toBe(3);
  await replaceBy(ROWS);
  expect(await streamed()).toBe(ROWS);
});
