import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  Row,
  SqlExecutor,
  SqlStatement,
  SqlValue,
} from '../../../src/modules/database/adapters/database-adapter';
import { SqliteAdapter } from '../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import {
  openDatabase,
  type SqliteDatabase,
} from '../../../src/modules/database/adapters/sqlite/sqlite-driver';

/** The table of the contract, and one that refers to it. */
export const SHOP = `
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    price INTEGER NOT NULL CHECK (price >= 0), maker TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, product_id INTEGER REFERENCES products (id),
    amount INTEGER CONSTRAINT positive_amount CHECK ("amount" > 0));`;

/** Fills `products` with a number of rows: prices from 1 to 100, over and over. */
export const fill = (rows: number): string =>
  `INSERT INTO products (name, price) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
   SELECT 'product ' || i, 1 + i % 100 FROM n`;

/** A query without tables that takes about a second per 10 million steps, and returns one row. */
export const count = (steps: number): SqlStatement =>
  reading(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${steps}) SELECT count(*) c FROM n`,
  );

export const reading = (text: string): SqlStatement => ({ text, kind: 'read' });
export const writing = (text: string): SqlStatement => ({ text, kind: 'write' });

/** Adapters of files in temporary folders, and a second connection to each file. */
export class SqliteFiles {
  readonly #folders: string[] = [];
  readonly #adapters: SqliteAdapter[] = [];

  /** The path of a file that does not exist, in a folder that does not exist. */
  path(): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'sqlite-'));
    this.#folders.push(folder);
    return path.join(folder, 'data', 'shop.sqlite');
  }

  adapter(file = this.path(), options: { readonly statement_timeout?: number } = {}): SqliteAdapter {
    const adapter = new SqliteAdapter({ file, ...options });
    this.#adapters.push(adapter);
    return adapter;
  }

  /** An adapter of a new file with tables. */
  async shop(rows = 0, options: { readonly statement_timeout?: number } = {}): Promise<SqliteAdapter> {
    const adapter = this.adapter(undefined, options);
    await adapter.runScripts([SHOP, ...(rows > 0 ? [fill(rows)] : [])]);
    return adapter;
  }

  async close(): Promise<void> {
    for (const adapter of this.#adapters) await adapter.close();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Another connection to the file of an adapter, as another process has it. */
export function otherConnection(adapter: SqliteAdapter): SqliteDatabase {
  return openDatabase(adapter.target);
}

/** The rows of a statement, of any database. */
export async function rows(
  adapter: SqlExecutor,
  text: string,
  ...parameters: readonly SqlValue[]
): Promise<readonly Row[]> {
  const kind = /^(?:select|with)/i.test(text) ? 'read' : 'write';
  return plain(await adapter.execute({ text, kind }, parameters));
}

/** Rows as ordinary objects, for comparisons. */
export const plain = (found: readonly Row[]): readonly Row[] => found.map((row) => ({ ...row }));

/** The rows of a stream, one by one. */
export async function* eachRow(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, void> {
  for await (const batch of batches) yield* batch;
}
