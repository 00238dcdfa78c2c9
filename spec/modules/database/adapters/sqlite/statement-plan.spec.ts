import { openDatabase } from '../../../../../src/modules/database/adapters/sqlite/sqlite-driver';
import {
  type Instruction,
  unboundedWalks,
} from '../../../../../src/modules/database/adapters/sqlite/statement-plan';

const database = openDatabase(':memory:');
database.exec(`
  CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price INTEGER, maker_id INTEGER
    REFERENCES makers (id) ON DELETE CASCADE);
  CREATE INDEX products_price ON products (price);
  CREATE INDEX products_maker ON products (maker_id);
  CREATE TABLE parts (id INTEGER PRIMARY KEY, product_id INTEGER REFERENCES products (id));
  CREATE VIRTUAL TABLE texts USING fts5(name, content=products, content_rowid=id);`);
afterAll(() => database.close());

function planOf(text: string): readonly string[] {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all() as { detail: string }[];
  return steps.map(({ detail }) => detail);
}

/** The tables that a statement walks through without a bound. */
function walks(text: string): readonly string[] | 'unknown' {
  const { rootPages, isUnknown } = unboundedWalks(
    database.prepare(`EXPLAIN ${text}`).all() as Instruction[],
    planOf(text),
  );
  if (isUnknown) return 'unknown';
  const table = database.prepare('SELECT tbl_name AS name FROM sqlite_schema WHERE rootpage = ?');
  return rootPages.map((page) => (table.get(page) as { name: string }).name);
}

test.each([
  'SELECT * FROM products WHERE id = ?',
  'SELECT * FROM products WHERE name = ?',
  'SELECT * FROM products WHERE id IN (?, ?, ?)',
  'SELECT * FROM products ORDER BY id LIMIT 25',
  'SELECT * FROM products WHERE id > ? ORDER BY id LIMIT 25',
  'SELECT * FROM products WHERE price >= ? ORDER BY price, id LIMIT 25',
  'SELECT * FROM products WHERE price = ? AND id > ? ORDER BY price, id LIMIT ?',
  'SELECT * FROM products WHERE maker_id = ? ORDER BY id LIMIT 25',
  'SELECT p.*, m.name FROM products p LEFT JOIN makers m ON m.id = p.maker_id ORDER BY p.id LIMIT 25',
  'SELECT p.*, (SELECT m.name FROM makers m WHERE m.id = p.maker_id) FROM products p ORDER BY p.id LIMIT 25',
  'INSERT INTO products (name, price) VALUES (?, ?), (?, ?) RETURNING *',
  'INSERT INTO products (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING *',
  'UPDATE products SET price = ? WHERE id = ? AND price = ? RETURNING *',
])('%s is bounded', (text) => {
  expect(walks(text)).toEqual([]);
});

test.each([
  'SELECT * FROM products WHERE (price, id) > (?, ?) ORDER BY price, id LIMIT 25',
  'SELECT * FROM products WHERE (price, id) < (?, ?) ORDER BY price DESC, id DESC LIMIT 25',
])('%s is bounded, unless SQLite compares the first column only, as in node:sqlite', (text) => {
  const comparesAll = planOf(text).some((step) => step.includes('(price,rowid)'));
  expect(walks(text)).toEqual(comparesAll ? [] : ['products']);
});

test.each<[string, readonly string[] | 'unknown']>([
  ['SELECT * FROM products', ['products']],
  ['SELECT count(*) FROM products', ['products']],
  ['SELECT count(*) FROM products WHERE price > ?', ['products']],
  ["SELECT * FROM products WHERE name LIKE '%x' ORDER BY id LIMIT 25", ['products']],
  ['SELECT * FROM products WHERE maker_id = ? AND name <> ? LIMIT 25', ['products']],
  [
    'SELECT * FROM products WHERE price > ? OR (price = ? AND id > ?) ORDER BY price, id LIMIT 25',
    ['products'],
  ],
  // Rows of the first price are read until a name matches.
  [
    'SELECT * FROM products WHERE price = ? AND id > ? AND maker_id = ? ORDER BY price, id LIMIT ?',
    ['products'],
  ],
  ['SELECT * FROM products ORDER BY id LIMIT 25 OFFSET ?', ['products']],
  ["SELECT * FROM products ORDER BY name || '' LIMIT 3", ['products']],
  [
    'SELECT m.*, (SELECT group_concat(name) FROM products p WHERE p.maker_id = m.id) FROM makers m LIMIT 5',
    ['products'],
  ],
  ['SELECT * FROM makers m JOIN products p ON p.maker_id = m.id LIMIT 25', ['products']],
  ['UPDATE products SET price = ? WHERE price = ?', ['products']],
  // Rows that refer to it, without an index.
  ['DELETE FROM products WHERE id = ?', ['parts']],
  ['SELECT rowid FROM texts WHERE texts MATCH ? LIMIT 25', 'unknown'],
  ['WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n', 'unknown'],
])('%s walks through %j', (text, tables) => {
  expect(walks(text)).toEqual(tables);
});
