import type {
  DatabaseModel,
  TableModel,
} from '../../../../../../src/modules/database/introspection/table-model';
import { columnType } from '../../../../../../src/modules/database/adapters/sqlite/schema/column-type';
import { SHOP, SqliteFiles } from '../../../../../factories/database/sqlite';

const files = new SqliteFiles();
let model: DatabaseModel;

beforeAll(async () => {
  const adapter = files.adapter();
  await adapter.runScripts([
    SHOP,
    `CREATE INDEX products_maker ON products (maker, price DESC);
     CREATE INDEX products_cheap ON products (price) WHERE price < 10;
     CREATE INDEX products_lower ON products (lower(name));
     CREATE VIRTUAL TABLE product_texts USING fts5(name, maker, content='products', content_rowid='id');
     CREATE TABLE "Tom's ""Notes""" (body TEXT);
     CREATE VIRTUAL TABLE "Tom's texts" USING fts5("body", content='Tom''s "Notes"');
     CREATE TABLE \`back\`\`ticks\` ("Tom's id" INTEGER PRIMARY KEY, body TEXT);
     CREATE VIRTUAL TABLE tick_texts USING fts5(body, content=\`back\`\`ticks\`, content_rowid='Tom''s id');
     CREATE VIEW cheap AS SELECT id, name, price * 2 AS twice FROM products WHERE price < 10;
     CREATE TABLE "order lines" (
       order_id INT NOT NULL REFERENCES Orders,
       line INTEGER NOT NULL,
       state VARCHAR(20) NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
       code TEXT COLLATE NOCASE,
       price DECIMAL(10, 2) CHECK (price > 0),
       "total" REAL AS (price * 2) STORED,
       at DATETIME DEFAULT CURRENT_TIMESTAMP,
       CONSTRAINT key PRIMARY KEY (order_id, line),
       UNIQUE (line, code)
     ) WITHOUT ROWID;
     CREATE TABLE words (word TEXT PRIMARY KEY COLLATE NOCASE CHECK (word IN ('a', 'b')),
       size INTEGER CHECK (size BETWEEN 1 AND 5) CHECK (typeof(size) = 'integer')) STRICT;
     CREATE TABLE defaults (id INTEGER PRIMARY KEY, bare TEXT DEFAULT active, quoted TEXT DEFAULT "it's new",
       bracketed TEXT DEFAULT [a b], truth INTEGER DEFAULT true, missing TEXT DEFAULT NULL, day DATE DEFAULT current_date,
       hex INTEGER DEFAULT 0x10, code BLOB DEFAULT x'00', sum INTEGER DEFAULT (1 + 1), minus INTEGER DEFAULT -1);
     CREATE TABLE links ("from" INTEGER, "to" INTEGER, FOREIGN KEY ("from", "to") REFERENCES "order lines" (order_id, line));`,
  ]);
  model = await adapter.introspect();
});
afterAll(() => files.close());

const table = (name: string): TableModel => model.tables[name]!;

test('tables and views are read, and those of full-text indexes are not', () => {
  expect(Object.values(model.tables).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    `table Tom's "Notes"`,
    'table back`ticks',
    'view cheap',
    'table defaults',
    'table links',
    'table order lines',
    'table orders',
    'table products',
    'table words',
  ]);
});

test('a table has its columns, keys and indexes', () => {
  expect(table('products')).toEqual({
    name: 'products',
    kind: 'table',
    columns: {
      id: { type: 'integer', declared: 'INTEGER', isNullable: false, generated: 'identity' },
      name: { type: 'text', declared: 'TEXT', isNullable: false },
      price: { type: 'integer', declared: 'INTEGER', isNullable: false, constraints: { minimum: 0 } },
      maker: { type: 'text', declared: 'TEXT', isNullable: true },
    },
    primaryKey: ['id'],
    unique: [['name']],
    indexes: [['id'], ['name'], ['maker', 'price']],
    foreignKeys: [],
    fullText: { name: 'product_texts', key: 'id' },
  });
});

test('lengths, defaults, generated columns and lists of values are read', () => {
  expect(table('order lines')).toEqual({
    name: 'order lines',
    kind: 'table',
    columns: {
      order_id: { type: 'integer', declared: 'INT', isNullable: false },
      line: { type: 'integer', declared: 'INTEGER', isNullable: false },
      state: {
        type: 'text',
        declared: 'VARCHAR(20)',
        isNullable: false,
        default: "'open'",
        maxLength: 20,
        values: ['open', 'closed'],
      },
      code: { type: 'text', declared: 'TEXT', isNullable: true },
      price: {
        type: 'decimal',
        declared: 'DECIMAL(10, 2)',
        isNullable: true,
        precision: 10,
        scale: 2,
        constraints: { exclusiveMinimum: 0 },
      },
      total: { type: 'number', declared: 'REAL', isNullable: true, generated: 'always' },
      at: { type: 'timestamp', declared: 'DATETIME', isNullable: true, default: 'CURRENT_TIMESTAMP' },
    },
    primaryKey: ['order_id', 'line'],
    unique: [['line', 'code']],
    indexes: [
      ['order_id', 'line'],
      ['line', 'code'],
    ],
    foreignKeys: [{ columns: ['order_id'], table: 'orders', references: ['id'] }],
  });
});

test('a list of values counts only where texts are compared exactly', () => {
  expect(table('words').columns.word).toEqual({ type: 'text', declared: 'TEXT', isNullable: false });
  expect(table('words').columns.size).toMatchObject({ constraints: { minimum: 1, maximum: 5 } });
  expect(table('orders').columns.amount).toMatchObject({ constraints: { exclusiveMinimum: 0 } });
});

test('defaults that are names are the texts that SQLite takes them for', () => {
  const defaults = Object.entries(table('defaults').columns).map(([name, column]) => [name, column.default]);
  expect(Object.fromEntries(defaults)).toEqual({
    id: undefined,
    bare: "'active'",
    quoted: "'it''s new'",
    bracketed: "'a b'",
    truth: 'true',
    missing: 'NULL',
    day: 'current_date',
    hex: '0x10',
    code: "x'00'",
    sum: '1 + 1',
    minus: '-1',
  });
});

test('parts of primary keys are read that other programs may leave NULL', async () => {
  const adapter = files.adapter();
  await adapter.runScripts([
    `CREATE TABLE allowed (a TEXT, b INT NOT NULL, c INT, PRIMARY KEY (a, b, c));
     CREATE TABLE descending (a INTEGER PRIMARY KEY DESC);
     CREATE TABLE rowids (a INTEGER PRIMARY KEY);
     CREATE TABLE stricter (a TEXT PRIMARY KEY) STRICT;
     CREATE TABLE sorted (a TEXT PRIMARY KEY) WITHOUT ROWID;`,
  ]);
  const { tables } = await adapter.introspect();
  const found = Object.values(tables).map(({ name, columns }) => [
    name,
    Object.values(columns).map(({ isNullable, isNullableKey }) => [isNullable, isNullableKey]),
  ]);
  const never = [false, undefined];
  expect(Object.fromEntries(found)).toEqual({
    allowed: [[false, true], never, [false, true]],
    descending: [[false, true]],
    rowids: [never],
    stricter: [never],
    sorted: [never],
  });
});

test('keys of several columns and views are read', () => {
  expect(table('links').foreignKeys).toEqual([
    { columns: ['from', 'to'], table: 'order lines', references: ['order_id', 'line'] },
  ]);
  expect(table('cheap')).toMatchObject({
    kind: 'view',
    primaryKey: [],
    columns: { id: { type: 'integer', isNullable: true }, twice: { type: 'other', declared: '' } },
  });
});

test.each([
  ['BIGINT', { type: 'bigint' }],
  ['TINYINT', { type: 'integer' }],
  ['BOOLEAN', { type: 'boolean' }],
  ['double  precision', { type: 'number' }],
  ['NUMERIC(8)', { type: 'decimal', precision: 8, scale: 0 }],
  ['CHARACTER VARYING (30)', { type: 'text', maxLength: 30 }],
  ['NCHAR(3)', { type: 'text', maxLength: 3 }],
  ['DATE', { type: 'date' }],
  ['TIME', { type: 'time' }],
  ['TIMESTAMP WITH TIME ZONE', { type: 'timestamptz' }],
  ['UUID', { type: 'uuid' }],
  ['JSON', { type: 'json' }],
  ['BLOB', { type: 'binary' }],
  ['POINT', { type: 'other' }],
  ['SMALLINT UNSIGNED', { type: 'integer' }],
  ['BIGINT UNSIGNED', { type: 'bigint' }],
  ['LONGTEXT', { type: 'text' }],
  ['ntext', { type: 'text' }],
  ['MEDIUMBLOB', { type: 'binary' }],
  ['', { type: 'other' }],
])('the type of %s is known', (declared, expected) => {
  expect(columnType(declared)).toEqual(expected);
});

it('finds the full-text index of a table whose name has quotation marks', () => {
  expect(table(`Tom's "Notes"`).fullText).toEqual({ name: "Tom's texts" });
  expect(table('back`ticks').fullText).toEqual({ name: 'tick_texts', key: "Tom's id" });
});
