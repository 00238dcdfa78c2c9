import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject, Module } from '../../../src/framework';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { startAdminPlatform, WITH_ADMIN, type AdminPlatform } from './admin';

/** The database, from the root of the project. */
const FILE = 'data/shop.sqlite';

/** Tables with a key, a foreign key, checks, a default, a view, and a name that is not one of SQL. */
const TABLES = `
  CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price INTEGER NOT NULL CHECK (price >= 0),
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')), maker_id INTEGER REFERENCES makers (id));
  CREATE INDEX products_by_price ON products (price, id);
  CREATE VIEW cheap AS SELECT id, name FROM products WHERE price < 10;
  CREATE TABLE "order & <b>lines</b>" (code TEXT PRIMARY KEY NOT NULL, note TEXT);
  INSERT INTO makers VALUES (1, 'Globe');
  INSERT INTO products (name, price, maker_id) VALUES ('Lamp', 30, 1), ('Glass', 5, NULL);`;

/** A service over a table, in the configuration. */
export const productService: ConfigObject = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'products',
  route: '/shop/products[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, name: {}, price: {} },
  collection: { GET: {}, POST: {} },
  entity: { GET: {} },
};

/** A platform with the admin and an embedded database. */
export interface DatabasePlatform extends AdminPlatform {
  /** The file of the database. */
  readonly database: string;
  /** Executes SQL as another program does. */
  execute(sql: string): void;
}

export interface DatabaseOptions {
  readonly sql?: string;
  readonly adapters?: ConfigObject;
  readonly files?: Readonly<Record<string, string>>;
  readonly local?: ConfigObject;
  readonly extra?: readonly Module[];
  /** Whether it has the sample API, which has a database of its own. */
  readonly hasAtlas?: boolean;
}

/**
 * Starts a platform with the admin and a database, `shop`.
 * @param services of version 1 of the API `Shop`
 * @param sql executed before the start
 */
export async function startDatabasePlatform(
  services: Readonly<Record<string, ConfigObject>> = { Product: productService },
  { sql = '', adapters = {}, files = {}, local = {}, extra = [], hasAtlas = false }: DatabaseOptions = {},
): Promise<DatabasePlatform> {
  const folder = mkdtempSync(path.join(tmpdir(), 'admin-database-'));
  const prepared = path.join(folder, 'shop.sqlite');
  executeIn(prepared, TABLES + sql);
  const content = readFileSync(prepared);
  rmSync(folder, { recursive: true });
  const apis = Object.keys(services).length === 0 ? {} : { Shop: { versions: { '1': { services } } } };
  const platform = await startAdminPlatform({
    modules: [...WITH_ADMIN.filter((name) => hasAtlas || name !== 'atlas'), 'database'],
    extra,
    files: { ...files, [FILE]: content },
    local: {
      'platform-db': {
        adapters: { shop: { adapter: 'SqliteAdapter', options: { file: FILE } }, ...adapters },
      },
      'platform-hosting': { apis },
      ...local,
    },
  });
  const database = path.join(platform.root, FILE);
  return Object.assign(platform, {
    database,
    execute: (statements: string) => executeIn(database, statements),
  });
}

function executeIn(file: string, statements: string): void {
  const database = openDatabase(file);
  database.exec(`BEGIN; ${statements}; COMMIT`);
  database.close();
}
