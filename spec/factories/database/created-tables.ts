import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../src/framework';
import type { Dialect } from '../../../src/modules/database/adapters/database-adapter';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { PostgresServer } from './postgres';
import { withPrograms } from '../processes/programs';

/** The type and constraints of an integer key that the database generates. */
export const GENERATED_KEY = {
  sqlite: 'INTEGER PRIMARY KEY',
  postgres: 'INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
} as const;

/**
 * Creates the tables of a script in a new file.
 * @param options further options of the adapter
 * @returns the configuration of its adapter
 */
export function createSqliteTables(script: string, options: ConfigObject = {}): ConfigObject {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'tables-')), 'tables.sqlite');
  const database = openDatabase(file);
  database.exec(script);
  database.close();
  return { adapter: 'SqliteAdapter', options: { file, ...options } };
}

/**
 * Describes the same behaviour over the tables of a script in SQLite, and in PostgreSQL where it is installed.
 * @param script or what returns it for a {@link GENERATED_KEY}
 * @param behaviour declares the tests; called in `beforeAll`, its second argument creates the tables and returns the
 *   configuration of their adapter
 * @param options further options of the adapter
 */
export function describeOnEachAdapter(
  title: string,
  script: string | ((key: string) => string),
  behaviour: (it: jest.It, createTables: () => Promise<ConfigObject>) => void,
  options: ConfigObject = {},
): void {
  const scriptOf = (dialect: Dialect): string =>
    typeof script === 'string' ? script : script(GENERATED_KEY[dialect]);
  describe(`${title} (SQLite)`, () =>
    behaviour(it, () => Promise.resolve(createSqliteTables(scriptOf('sqlite'), options))));
  const postgres = withPrograms('postgres');
  postgres.describe(`${title} (PostgreSQL)`, () => {
    let server: PostgresServer;
    behaviour(postgres.it, async () => {
      server = await PostgresServer.start();
      await server.adapter().runScripts([scriptOf('postgres')]);
      return { adapter: 'PostgresAdapter', options: { url: server.url(), ...options } };
    });
    afterAll(() => server.close());
  });
}
