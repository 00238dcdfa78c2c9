import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject } from '../../../src/framework';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { PostgresServer } from './postgres';
import { withPrograms } from '../processes/programs';

/** Creates the tables of a script in a new file. @returns the configuration of its adapter */
export function createSqliteTables(script: string): ConfigObject {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'tables-')), 'tables.sqlite');
  const database = openDatabase(file);
  database.exec(script);
  database.close();
  return { adapter: 'SqliteAdapter', options: { file } };
}

/**
 * Describes the same behaviour over the tables of a script in SQLite, and in PostgreSQL where it is installed.
 * @param behaviour declares the tests; called in `beforeAll`, its second argument creates the tables and returns the
 *   configuration of their adapter
 */
export function describeOnEachAdapter(
  title: string,
  script: string,
  behaviour: (it: jest.It, createTables: () => Promise<ConfigObject>) => void,
): void {
  describe(`${title} (SQLite)`, () => behaviour(it, () => Promise.resolve(createSqliteTables(script))));
  const postgres = withPrograms('postgres');
  postgres.describe(`${title} (PostgreSQL)`, () => {
    let server: PostgresServer;
    behaviour(postgres.it, async () => {
      server = await PostgresServer.start();
      await server.adapter().runScripts([script]);
      return { adapter: 'PostgresAdapter', options: { url: server.url() } };
    });
    afterAll(() => server.close());
  });
}
