import { copyFileSync, existsSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../../../../../src/modules/database/adapters/database-adapter';
import type { SqliteAdapter } from '../../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { DatabaseError } from '../../../../../src/modules/database/adapters/database-error';
import {
  fill,
  otherConnection,
  plain,
  reading,
  rows,
  SqliteFiles,
  writing,
} from '../../../../factories/database/sqlite';
import { synchronous } from '../../../../factories/synchronous';

const INSERT = writing('INSERT INTO products (name, price) VALUES (?, ?) RETURNING id, name');
const BY_KEY = { ...reading('SELECT id, name FROM products WHERE id = ?'), single: true };
const NAMES = 'SELECT name FROM products ORDER BY id';

const files = new SqliteFiles();
afterAll(() => files.close());

test('a file is created with its folder at the first use', async () => {
  const file = files.path();
  const adapter = files.adapter(file);
  expect(adapter.isAvailable).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  await adapter.runScripts(['CREATE TABLE t (id INTEGER)']);
  expect(existsSync(file)).toBe(true);
  expect(adapter.isAvailable).toBe(true);
  expect(adapter.target).toBe(file);
});

test('a file that was closed is complete without its write-ahead log', async () => {
  const adapter = await files.shop();
  await adapter.execute(INSERT, ['Globe', 10]);
  expect(await rows(adapter, NAMES)).toEqual([{ name: 'Globe' }]);
  await adapter.close();
  const copy = `${adapter.target}.copy`;
  copyFileSync(adapter.target, copy);
  expect(await rows(files.adapter(copy), NAMES)).toEqual([{ name: 'Globe' }]);
});

test('lookups by key, small tables and inserts are synchronous', async () => {
  const adapter = await files.shop();
  expect(plain(synchronous(adapter.execute(INSERT, ['Globe', 10])))).toEqual([{ id: 1, name: 'Globe' }]);
  expect(plain(synchronous(adapter.execute(BY_KEY, [1])))).toEqual([{ id: 1, name: 'Globe' }]);
  expect(synchronous(adapter.execute(BY_KEY, [2]))).toEqual([]);
  expect(plain(synchronous(adapter.execute(reading('SELECT count(*) AS n FROM products'), [])))).toEqual([
    { n: 1 },
  ]);
});

test('an integer beyond 2^53 is an error, never rounded, on the main thread and in a thread', async () => {
  const adapter = await files.shop(3000);
  synchronous(
    adapter.execute(writing('INSERT INTO products (id, name, price) VALUES (?, ?, ?)'), [
      2n ** 60n,
      'Big',
      1,
    ]),
  );
  const byName = "SELECT id FROM products WHERE name = 'Big'";
  const scan = "SELECT id FROM products WHERE name || '' = 'Big'";
  const failure = {
    name: 'DatabaseError',
    kind: 'unreadable',
    message: expect.stringMatching(
      /number: 1152921504606846976, in the column "id"\. Declare its column as BIGINT[^.]*\.$/,
    ) as unknown,
  };
  await expect(rows(adapter, byName)).rejects.toMatchObject(failure);
  await expect(rows(adapter, scan)).rejects.toMatchObject(failure);
  expect(await rows(adapter, byName.replace('id', 'CAST(id AS TEXT) AS id'))).toEqual([
    { id: String(2n ** 60n) },
  ]);
});

describe('transactions', () => {
  test('are committed when their action ends', async () => {
    const adapter = await files.shop();
    const result = await adapter.transaction(async (executor) => {
      await executor.execute(INSERT, ['Globe', 1]);
      // Other connections do not see it yet.
      expect(await rows(adapter, NAMES)).toEqual([]);
      return plain(await executor.execute(reading(NAMES), []));
    });
    expect(result).toEqual([{ name: 'Globe' }]);
    expect(await rows(adapter, NAMES)).toEqual([{ name: 'Globe' }]);
  });

  test('are rolled back when their action throws, with its error', async () => {
    const adapter = await files.shop();
    const failure = new Error('changed my mind');
    const transaction = adapter.transaction(async (executor) => {
      await executor.execute(INSERT, ['Globe', 1]);
      throw failure;
    });
    await expect(transaction).rejects.toBe(failure);
    expect(await rows(adapter, NAMES)).toEqual([]);
  });

  test('are rolled back when a statement failed, even if their action continues', async () => {
    const adapter = await files.shop();
    const transaction = adapter.transaction(async (executor) => {
      await executor.execute(INSERT, ['Globe', 1]);
      await expect(executor.execute(INSERT, ['Globe', 2])).rejects.toMatchObject({ kind: 'unique' });
      await expect(executor.execute(INSERT, ['Map', 1])).rejects.toMatchObject({ kind: 'unique' });
    });
    await expect(transaction).rejects.toMatchObject({ kind: 'unique' });
    expect(await rows(adapter, NAMES)).toEqual([]);
    // The failure of a statement does not outlive it.
    await adapter.transaction(async (executor) => executor.execute(INSERT, ['Map', 1]));
    expect(await rows(adapter, NAMES)).toEqual([{ name: 'Map' }]);
  });

  test('run one after the other, and writes outside wait for them', async () => {
    const adapter = await files.shop();
    const insertTwice = (first: string, second: string): Promise<void> =>
      adapter.transaction(async (executor) => {
        await executor.execute(INSERT, [first, 1]);
        await delay(20);
        await executor.execute(INSERT, [second, 1]);
      });
    const both = [insertTwice('a', 'b'), insertTwice('c', 'd')];
    await delay(10);
    await Promise.all([...both, adapter.execute(INSERT, ['e', 1])]);
    expect((await rows(adapter, NAMES)).map(({ name }) => name).join('')).toBe('abcde');
  });

  test('execute nothing after their end', async () => {
    const adapter = await files.shop();
    const executor = await adapter.transaction((inner) => Promise.resolve(inner));
    await expect(executor.execute(INSERT, ['Globe', 1])).rejects.toMatchObject({ kind: 'unknown' });
    expect(await rows(adapter, NAMES)).toEqual([]);
  });
});

describe('while another process writes', () => {
  test('writes wait for it, and reads do not', async () => {
    const adapter = await files.shop();
    const other = otherConnection(adapter);
    other.exec("BEGIN IMMEDIATE; INSERT INTO products (name, price) VALUES ('other', 1)");
    const written = adapter.execute(INSERT, ['Globe', 1]);
    const transaction = adapter.transaction((executor) =>
      Promise.resolve(executor.execute(INSERT, ['Map', 1])),
    );
    expect(await rows(adapter, NAMES)).toEqual([]);
    await delay(100);
    other.exec('COMMIT');
    await Promise.all([written, transaction]);
    expect((await rows(adapter, NAMES)).map(({ name }) => name)).toEqual(['other', 'Globe', 'Map']);
    other.close();
  });

  test('a write fails after the time limit, as unavailable or timed out', async () => {
    const adapter = await files.shop(0, { statement_timeout: 0.2 });
    const other = otherConnection(adapter);
    other.exec('BEGIN IMMEDIATE');
    const insert = adapter.execute(INSERT, ['Globe', 1]);
    // On a busy machine, the limit of the statement ends before the wait for the other process.
    const failure = {
      name: 'DatabaseError',
      kind: expect.stringMatching(/^(unavailable|timeout)$/) as unknown,
    };
    await expect(insert).rejects.toMatchObject(failure);
    const transaction = adapter.transaction(() => Promise.resolve());
    await expect(transaction).rejects.toMatchObject(failure);
    other.exec('ROLLBACK');
    await adapter.execute(INSERT, ['Globe', 1]);
    expect(adapter.isAvailable).toBe(true);
    other.close();
  });
});

test('scripts run in one transaction', async () => {
  const adapter = await files.shop();
  const scripts = ["INSERT INTO products (name, price) VALUES ('a', 1)", 'INSERT INTO missing VALUES (1)'];
  await expect(adapter.runScripts(scripts)).rejects.toMatchObject({ kind: 'schema' });
  expect(await rows(adapter, NAMES)).toEqual([]);
});

describe('scripts that may block the process', () => {
  const tables = ['CREATE TABLE makers (id INTEGER PRIMARY KEY)', 'INSERT INTO makers VALUES (1), (2)'];
  const tablesOf = (adapter: SqliteAdapter): unknown =>
    plain(otherConnection(adapter).prepare('SELECT name FROM sqlite_schema').all() as readonly Row[]);

  test('fill a new database on the main thread, without waiting for a thread', async () => {
    const adapter = files.adapter();
    const running = adapter.runScripts(tables, { mayBlock: true });
    expect(tablesOf(adapter)).toEqual([{ name: 'makers' }]);
    await running;
    expect(adapter.isAvailable).toBe(true);
    expect(await rows(adapter, 'SELECT id FROM makers')).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('fill it in a thread if they may not block, are long, or may make many rows', async () => {
    for (const [scripts, mayBlock] of [
      [tables, false],
      [[...tables, 'INSERT INTO makers WITH n (i) AS (VALUES (3), (4)) SELECT i FROM n'], true],
      [[...tables, 'INSERT INTO makers SELECT a.id + 2 * b.id FROM makers a JOIN makers b'], true],
      [[...tables, 'INSERT INTO makers SELECT a.id + 2 * b.id FROM makers a, makers b'], true],
      [[...tables, `-- ${'long '.repeat(200_000)}`], true],
    ] as const) {
      const adapter = files.adapter();
      const running = adapter.runScripts(scripts, { mayBlock });
      expect(tablesOf(adapter)).toEqual([]);
      await running;
      expect(tablesOf(adapter)).toEqual([{ name: 'makers' }]);
    }
  });

  test('run in a thread if the database has tables', async () => {
    const adapter = await files.shop();
    const running = adapter.runScripts([fill(100_000), 'DROP TABLE orders; DROP TABLE products'], {
      mayBlock: true,
    });
    expect(tablesOf(adapter)).toContainEqual({ name: 'products' });
    await running;
    expect(tablesOf(adapter)).not.toContainEqual({ name: 'products' });
  });

  test.each([
    ['a statement', 'INSERT INTO makers VALUES (1)', 2],
    [
      'the commit',
      'CREATE TABLE children (maker REFERENCES makers DEFERRABLE INITIALLY DEFERRED); INSERT INTO children VALUES (3)',
      3,
    ],
  ])('change nothing if %s fails, and report the script', async (_, failing, script) => {
    for (const mayBlock of [true, false]) {
      const adapter = files.adapter();
      await expect(adapter.runScripts([...tables, failing], { mayBlock })).rejects.toMatchObject({ script });
      expect(tablesOf(adapter)).toEqual([]);
      await adapter.runScripts(tables, { mayBlock });
      expect(tablesOf(adapter)).toEqual([{ name: 'makers' }]);
    }
  });

  test.each([true, false])(
    'keep foreign keys off until the commit only (may block: %s)',
    async (mayBlock) => {
      const adapter = files.adapter();
      const children = 'CREATE TABLE children (maker REFERENCES makers ON DELETE CASCADE)';
      const options = { mayBlock, areForeignKeysOff: true };
      await expect(
        adapter.runScripts([children, ...tables, 'INSERT INTO children VALUES (9)'], options),
      ).rejects.toMatchObject({ kind: 'foreign_key', script: 4 });
      expect(tablesOf(adapter)).toEqual([]);
      await adapter.runScripts([children, 'INSERT INTO children VALUES (1)', ...tables], options);
      await adapter.execute(writing('DELETE FROM makers WHERE id = 1'), []);
      expect(await rows(adapter, 'SELECT * FROM children')).toEqual([]);
    },
  );

  test.each([true, false])(
    'leave no settings to statements of requests (may block: %s)',
    async (mayBlock) => {
      const adapter = files.adapter();
      await adapter.runScripts(
        ['PRAGMA ignore_check_constraints = ON', 'CREATE TABLE prices (price INTEGER CHECK (price > 0))'],
        { mayBlock },
      );
      const insert = async () => adapter.execute(writing('INSERT INTO prices VALUES (-1)'), []);
      await expect(insert()).rejects.toMatchObject({ kind: 'check' });
    },
  );

  test('leave nothing in the write-ahead log', async () => {
    const adapter = files.adapter();
    await adapter.runScripts(tables, { mayBlock: true });
    expect(statSync(`${adapter.target}-wal`).size).toBe(0);
    const copy = `${adapter.target}.copy`;
    copyFileSync(adapter.target, copy);
    expect(await rows(files.adapter(copy), 'SELECT count(*) AS n FROM makers')).toEqual([{ n: 2 }]);
  });

  test('wait while another process writes', async () => {
    const adapter = files.adapter();
    await adapter.execute(reading('SELECT 1'), []);
    const other = otherConnection(adapter);
    other.exec('BEGIN IMMEDIATE');
    const running = adapter.runScripts(tables, { mayBlock: true });
    await delay(100);
    expect(tablesOf(adapter)).toEqual([]);
    other.exec('COMMIT');
    await running;
    expect(tablesOf(adapter)).toEqual([{ name: 'makers' }]);
  });
});

test('a plan names the index that serves a statement', async () => {
  const adapter = await files.shop();
  expect(await adapter.explain(reading('SELECT * FROM products WHERE name = ?'))).toEqual([
    expect.stringContaining('USING INDEX sqlite_autoindex_products_1'),
  ]);
});

describe('a plan without statistics', () => {
  const script = `CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE parts (id INTEGER PRIMARY KEY, kind TEXT, maker INTEGER);
    CREATE INDEX parts_kind ON parts (kind);
    INSERT INTO makers VALUES (1, 'a'), (2, 'a'), (3, 'a');
    INSERT INTO parts VALUES (1, 'b', 1);
    ANALYZE;`;
  const joined = reading(
    'SELECT parts.id, makers.name FROM parts LEFT JOIN makers ON makers.id = maker WHERE kind = ?',
  );
  const scan = ['SCAN parts', expect.stringContaining('SEARCH makers USING INTEGER PRIMARY KEY')];
  const search = ['SEARCH parts USING INDEX parts_kind (kind=?)', scan[1]];

  /** A new file, made by a program that has a function of its own. */
  const created = (text: string): string => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sqlite-')), 'shop.sqlite');
    const other = openDatabase(file);
    other.function('own', { deterministic: true }, String);
    other.exec(text);
    other.close();
    return file;
  };

  test('is that of empty tables with their current indexes', async () => {
    const adapter = files.adapter(created(script));
    expect(await adapter.explain(joined)).toEqual(scan);
    expect(await adapter.explain(joined, { withoutStatistics: true })).toEqual(search);
    await adapter.runScripts(['DROP INDEX parts_kind']);
    expect(await adapter.explain(joined, { withoutStatistics: true })).toEqual(scan);
  });

  test('takes little time in a database with many tables, once for services that start one after the other', async () => {
    const tables = Array.from({ length: 500 }, (_, at) => `CREATE TABLE t${at} (id INTEGER PRIMARY KEY);`);
    const adapter = files.adapter(created(`BEGIN; ${tables.join('')} ${script} COMMIT;`));
    const planned = async (): Promise<number> => {
      await setImmediate();
      const start = performance.now();
      await adapter.explain(joined, { withoutStatistics: true });
      return performance.now() - start;
    };
    const first = await planned();
    let others = 0;
    for (let count = 0; count < 60; count += 1) others += await planned();
    expect(others).toBeLessThan(first * 5);
  });

  test('is the one with statistics if the schema has a function that this process does not', async () => {
    const table = "CREATE TABLE others (id INTEGER CHECK (own(id) <> '0'));";
    const adapter = files.adapter(created(table + script));
    expect(await adapter.explain(joined, { withoutStatistics: true })).toEqual(scan);
  });
});

describe('a file that is not a database', () => {
  test('is unavailable, and available as soon as it can be used', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sqlite-')), 'shop.sqlite');
    writeFileSync(file, 'no database'.repeat(100));
    const adapter = files.adapter(file);
    const statement = reading('SELECT 1 AS one');
    expect(() => adapter.execute(statement, [])).toThrow(DatabaseError);
    await expect(adapter.introspect()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(adapter.transaction(() => Promise.resolve())).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await adapter.explain(statement)).toEqual([]);
    expect(adapter.isAvailable).toBe(false);
    writeFileSync(file, '');
    // Without a use: it is probed in the background.
    await new Promise<void>((resolve) => adapter.onAvailable(resolve));
    expect(adapter.isAvailable).toBe(true);
    expect(plain(synchronous(adapter.execute(statement, [])))).toEqual([{ one: 1 }]);
  });
});

test('after its end, an adapter is unavailable', async () => {
  const adapter = await files.shop();
  await adapter.close();
  await adapter.close();
  expect(() => adapter.execute(BY_KEY, [1])).toThrow(DatabaseError);
  await expect(adapter.introspect()).rejects.toMatchObject({ kind: 'unavailable' });
});
