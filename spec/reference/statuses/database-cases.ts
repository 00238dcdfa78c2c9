import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Databases } from '../../../src/modules/database/adapters/databases';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import type { ConfigObject } from '../../../src/platform';
import type { StatusCase } from './status-case';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Requests to services over tables. */
export const databaseCases: readonly StatusCase[] = [
  { method: 'POST', path: '/shop/makers', fields: JSON_TYPE, body: '{"name":"Globe & Sons"}' },
  { method: 'DELETE', path: '/shop/makers/1' },
  {
    when: 'A trigger discards the row',
    method: 'POST',
    path: '/shop/makers',
    fields: JSON_TYPE,
    body: '{"name":"Nobody"}',
  },
  { when: 'The database cannot be opened', path: '/shop/lost/1' },
  {
    when: 'A row has an integer beyond 2^53',
    path: '/shop/makers',
    prepare: async (platform) => {
      const databases = await platform.application.services.get(Databases);
      const database = await databases.adapter('shop', 'The test');
      await database.runScripts(["INSERT INTO makers VALUES (9007199254740993, 'Atlas')"]);
      return undefined;
    },
  },
  {
    when: 'The table was removed',
    path: '/shop/makers/1',
    prepare: async (platform) => {
      const databases = await platform.application.services.get(Databases);
      const database = await databases.adapter('shop', 'The test');
      await database.runScripts(['DROP TABLE products; DROP TABLE makers']);
      return undefined;
    },
  },
];

const columns = { id: {}, name: {} };
const operations = { collection: { GET: {}, POST: {} }, entity: { GET: {}, DELETE: {} } };
const service = (adapter: string, name: string): ConfigObject => ({
  kind: 'table',
  adapter_name: adapter,
  table_name: 'makers',
  route: `/shop/${name}[/:id]`,
  route_identifier_name: 'id',
  columns,
  ...operations,
});

/** The configuration of a database with two tables, and of one whose file is a folder. */
export function databaseSettings(): ConfigObject {
  const folder = mkdtempSync(path.join(tmpdir(), 'status-'));
  const file = path.join(folder, 'shop.sqlite');
  const database = openDatabase(file);
  database.exec(`
    CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE products (id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES makers (id));
    CREATE TRIGGER refuse BEFORE INSERT ON makers WHEN new.name = 'Nobody' BEGIN SELECT RAISE(IGNORE); END;
    INSERT INTO makers VALUES (1, 'Globe & Sons');
    INSERT INTO products VALUES (1, 1);
  `);
  database.close();
  const adapter = (at: string): ConfigObject => ({ adapter: 'SqliteAdapter', options: { file: at } });
  return {
    'platform-db': { adapters: { shop: adapter(file), lost: adapter(folder) } },
    'platform-hosting': {
      apis: {
        Shop: {
          versions: {
            '1': { services: { Maker: service('shop', 'makers'), Lost: service('lost', 'lost') } },
          },
        },
      },
    },
  };
}
