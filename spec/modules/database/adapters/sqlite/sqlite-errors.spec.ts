import {
  DatabaseError,
  type DatabaseErrorKind,
} from '../../../../../src/modules/database/adapters/database-error';
import type { SqliteAdapter } from '../../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { toDatabaseError } from '../../../../../src/modules/database/adapters/sqlite/sqlite-errors';
import { rows, SHOP, SqliteFiles } from '../../../../factories/database/sqlite';

const files = new SqliteFiles();
let adapter: SqliteAdapter;

beforeAll(async () => {
  adapter = files.adapter();
  await adapter.runScripts([
    SHOP,
    `CREATE TABLE strict_values (id INTEGER PRIMARY KEY, amount INTEGER) STRICT;
     CREATE TABLE pairs (a TEXT, b TEXT, total INTEGER AS (length(a)), PRIMARY KEY (a, b)) WITHOUT ROWID;
     CREATE TABLE labels (label TEXT);
     CREATE TABLE kept (product_id INTEGER REFERENCES products (id) ON DELETE RESTRICT ON UPDATE RESTRICT);
     INSERT INTO products (id, name, price) VALUES (7, 'Kept', 1);
     INSERT INTO kept VALUES (7);
     CREATE UNIQUE INDEX labels_lower ON labels (lower(label));
     INSERT INTO labels VALUES ('New');
     CREATE TABLE customers (email TEXT, active INTEGER);
     CREATE UNIQUE INDEX "customers' email" ON customers (lower(email)) WHERE active;
     INSERT INTO customers VALUES ('a@b.c', 1);
     CREATE TABLE limits (lower_bound INTEGER, upper_bound INTEGER, CHECK (lower_bound < upper_bound),
       CONSTRAINT "odd name" CHECK (lower_bound <> 13 /* unlucky */));
     CREATE TRIGGER labels_guard BEFORE INSERT ON labels WHEN new.label = 'Old'
       BEGIN SELECT RAISE(ABORT, 'it''s old'); END;
     INSERT INTO products (id, name, price) VALUES (1, 'Globe', 10);
     INSERT INTO orders (product_id, amount) VALUES (1, 1);
     INSERT INTO pairs (a, b) VALUES ('x', 'Y');`,
  ]);
});
afterAll(() => files.close());

test.each<readonly [string, DatabaseErrorKind, readonly string[], string | undefined]>([
  ["INSERT INTO products (name, price) VALUES ('Globe', 1)", 'unique', ['name'], undefined],
  ["INSERT INTO products (id, name, price) VALUES (1, 'Map', 1)", 'unique', ['id'], undefined],
  ["INSERT INTO pairs (a, b) VALUES ('x', 'Y')", 'unique', ['a', 'b'], undefined],
  ["INSERT INTO labels VALUES ('NEW')", 'unique', ['label'], undefined],
  ["INSERT INTO customers VALUES ('A@B.C', 1)", 'unique', ['email'], undefined],
  ["INSERT INTO labels VALUES ('Old') RETURNING label", 'check', [], undefined],
  ['INSERT INTO products (price) VALUES (1)', 'not_null', ['name'], undefined],
  ["INSERT INTO products (name, price) VALUES ('Map', -1)", 'check', ['price'], 'price >= 0'],
  ['INSERT INTO orders (product_id, amount) VALUES (1, 0)', 'check', ['amount'], 'positive_amount'],
  ['INSERT INTO limits VALUES (2, 1)', 'check', ['lower_bound', 'upper_bound'], 'lower_bound < upper_bound'],
  ['INSERT INTO limits VALUES (13, 14)', 'check', ['lower_bound'], 'odd name'],
  ['INSERT INTO orders (product_id, amount) VALUES (99, 1)', 'foreign_key', [], undefined],
  ['DELETE FROM products WHERE id = 1', 'foreign_key', [], undefined],
  ['DELETE FROM products WHERE id = 7', 'foreign_key', [], undefined],
  ['UPDATE products SET id = 8 WHERE id = 7', 'foreign_key', [], undefined],
  ["INSERT INTO strict_values (amount) VALUES ('many')", 'invalid_value', ['amount'], undefined],
  ["INSERT INTO products (id, name, price) VALUES ('one', 'Map', 1)", 'invalid_value', [], undefined],
  ['SELECT 9007199254740993 AS large', 'unreadable', [], undefined],
  ['SELECT sum(n) FROM (SELECT 9223372036854775807 AS n UNION ALL SELECT 1)', 'invalid_value', [], undefined],
  ['SELECT zeroblob(2000000000) AS large', 'too_long', [], undefined],
  ['SELECT * FROM missing', 'schema', [], undefined],
  ['SELECT missing FROM products', 'schema', [], undefined],
  ['INSERT INTO products (missing) VALUES (1)', 'schema', [], undefined],
  ["INSERT INTO pairs (a, b, total) VALUES ('a', 'b', 1)", 'schema', [], undefined],
  ['SELECT (', 'unknown', [], undefined],
])('%s is %s of %j', async (text, kind, columns, constraint) => {
  const execution = rows(adapter, text);
  await expect(execution).rejects.toBeInstanceOf(DatabaseError);
  await expect(execution).rejects.toMatchObject({ kind, columns, constraint });
  // The same in a thread.
  const transaction = adapter.transaction((executor) =>
    Promise.resolve(executor.execute({ text, kind: 'write' }, [])),
  );
  await expect(transaction).rejects.toMatchObject({ name: 'DatabaseError', kind, columns, constraint });
});

test('a foreign key that is deferred fails at the commit', async () => {
  await adapter.runScripts([
    'CREATE TABLE notes (order_id INTEGER REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED)',
  ]);
  const transaction = adapter.transaction((executor) =>
    Promise.resolve(executor.execute({ text: 'INSERT INTO notes VALUES (99)', kind: 'write' }, [])),
  );
  await expect(transaction).rejects.toMatchObject({ kind: 'foreign_key' });
  expect(await rows(adapter, 'SELECT * FROM notes')).toEqual([]);
});

test.each<readonly [number, DatabaseErrorKind]>([
  [2067, 'unique'],
  [517, 'unavailable'],
  [778, 'unavailable'],
  [13, 'unwritable'],
  [9, 'timeout'],
  [1, 'unknown'],
])('the result code %d is %s', (errcode, kind) => {
  expect(toDatabaseError(Object.assign(new Error('failed'), { errcode })).kind).toBe(kind);
});

test('a foreign key with RESTRICT has the result code of triggers', () => {
  const restricted = Object.assign(new Error('FOREIGN KEY constraint failed'), { errcode: 1811 });
  expect(toDatabaseError(restricted).kind).toBe('foreign_key');
  const raised = Object.assign(new Error('no more than three'), { errcode: 1811 });
  expect(toDatabaseError(raised).kind).toBe('check');
});
