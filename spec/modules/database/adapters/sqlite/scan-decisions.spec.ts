import { ScanDecisions } from '../../../../../src/modules/database/adapters/sqlite/scan-decisions';
import { SqliteConnection } from '../../../../../src/modules/database/adapters/sqlite/sqlite-connection';
import { fill, reading, SHOP, SqliteFiles } from '../../../../factories/database/sqlite';

const files = new SqliteFiles();
afterAll(() => files.close());

/** Decisions about a file whose table `products` has a number of rows. */
async function decisions(rows: number): Promise<ScanDecisions> {
  const adapter = files.adapter();
  await adapter.runScripts([SHOP, fill(rows), 'CREATE TABLE pairs (a TEXT PRIMARY KEY) WITHOUT ROWID']);
  const connection = new SqliteConnection(adapter.target, 0);
  onEnd.push(() => connection.close());
  return new ScanDecisions(connection);
}

const onEnd: (() => void)[] = [];
afterAll(() => {
  for (const end of onEnd) end();
});

test('a table is scanned on the main thread while it is small', async () => {
  const statement = reading('SELECT * FROM products WHERE price + 0 = 1');
  expect((await decisions(100)).isScan(statement)).toBe(false);
  expect((await decisions(5000)).isScan(statement)).toBe(true);
});

test('nested scans count with the product of their sizes, and tables without rowid as large', async () => {
  const small = await decisions(100);
  expect(
    small.isScan(reading('SELECT * FROM products a JOIN products b ON a.price + 0 <> b.price + 0')),
  ).toBe(true);
  expect(small.isScan(reading('SELECT * FROM pairs'))).toBe(true);
  expect(small.isScan(reading("SELECT * FROM pairs WHERE a = 'x'"))).toBe(false);
});

test('a statement that is slow three times in a row runs in a thread, and one that was slow now and then does not', async () => {
  const decided = await decisions(1);
  const byKey = reading('SELECT * FROM products WHERE id = 1');
  decided.isScan(byKey);
  for (const milliseconds of [50, 50, 0.1, 50, 50]) decided.measured(byKey, milliseconds);
  expect(decided.isScan(byKey)).toBe(false);
  decided.measured(byKey, 50);
  expect(decided.isScan(byKey)).toBe(true);
});

test('a statement with thousands of values runs in a thread, and is not compiled on the main thread first', async () => {
  const values = (count: number): string => Array.from({ length: count }, () => '?').join(', ');
  const decided = await decisions(1);
  expect(decided.isScan(reading(`SELECT * FROM products WHERE id IN (${values(100)})`))).toBe(false);
  expect(decided.isScan(reading(`SELECT * FROM products WHERE id IN (${values(10_000)})`))).toBe(true);
  expect(decided.isScan(reading(`SELECT * FROM missing WHERE id IN (${values(10_000)})`))).toBe(true);
});

test('the rows that the parts of a page walk through count together', async () => {
  const texts = ['price + 0 = 1', 'price + 0 > 1'].map(
    (condition) => `SELECT id FROM products WHERE ${condition}`,
  );
  const parts = texts.map((text) => ({ text }));
  const decided = await decisions(1500);
  for (const part of parts) expect(decided.isScan({ text: 'the page', parts: [part] })).toBe(false);
  expect(decided.isScan({ text: 'the page', parts })).toBe(true);
  expect((await decisions(900)).isScan({ text: 'the page', parts })).toBe(false);
});

test('a page whose parts are long together runs in a thread, and is not compiled on the main thread first', async () => {
  const text = `SELECT id FROM missing WHERE id IN (${Array.from({ length: 1000 }, () => '?').join(', ')})`;
  const parts = Array.from({ length: 10 }, () => ({ text }));
  const page = { text: parts.map(() => `SELECT * FROM (${text})`).join(' UNION ALL '), parts };
  expect((await decisions(1)).isScan(page)).toBe(true);
});

test('the schema is read on the main thread while it is small', async () => {
  const named = reading("SELECT 1 FROM sqlite_schema WHERE name = 'products'");
  expect((await decisions(1)).isScan(named)).toBe(false);
});
