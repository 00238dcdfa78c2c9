import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import type { ConfigObject } from '../../../src/framework';
import type { Dialect } from '../../../src/modules/database/adapters/database-adapter';
import { startTestPlatform, type TestPlatform, type TestProject } from '../platform';
import { PostgresServer } from './postgres';
import { withPrograms } from '../processes/programs';
import { HOSTING } from '../processes/start-refusal';

/** What the tests of both databases get. */
export interface DatabaseTests {
  readonly it: jest.It;
  readonly dialect: Dialect;
  /** The platform, from `beforeAll` on. */
  readonly platform: () => TestPlatform;
  /** Executes SQL besides the platform. */
  readonly execute: (sql: string) => Promise<void>;
}

interface DatabaseSetup {
  readonly sql: (dialect: Dialect) => string;
  readonly services: Readonly<Record<string, ConfigObject>>;
  /** Options of the adapter, in addition to where its database is. */
  readonly adapterOptions?: ConfigObject;
  readonly options?: TestProject;
}

/** Declares the same tests for SQLite and PostgreSQL: services of the API "Shop" over tables of the adapter "shop". */
export function describeOnBothDatabases(
  title: string,
  setup: DatabaseSetup,
  tests: (context: DatabaseTests) => void,
): void {
  const { adapterOptions } = setup;
  describe(`${title} (SQLite)`, () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'shop-')), 'shop.sqlite');
    const execute = (sql: string): Promise<void> => {
      const database = openDatabase(file);
      // The platform may still be rolling back.
      database.exec('PRAGMA busy_timeout = 5000');
      database.exec(sql);
      database.close();
      return Promise.resolve();
    };
    run(it, 'sqlite', {
      execute,
      adapter: () => ({ adapter: 'SqliteAdapter', options: { file, ...adapterOptions } }),
    });
  });

  const programs = withPrograms('postgres');
  programs.describe(`${title} (PostgreSQL)`, () => {
    let server: PostgresServer | undefined;
    beforeAll(async () => {
      server = await PostgresServer.start();
    }, 60_000);
    run(programs.it, 'postgres', {
      execute: async (sql) => server?.adapter().runScripts([sql]),
      adapter: () => ({
        adapter: 'PostgresAdapter',
        options: { url: server?.url() ?? '', ...adapterOptions },
      }),
    });
    afterAll(() => server?.close());
  });

  function run(
    own: jest.It,
    dialect: Dialect,
    { execute, adapter }: Pick<DatabaseTests, 'execute'> & { readonly adapter: () => ConfigObject },
  ): void {
    let platform: TestPlatform;
    beforeAll(async () => {
      await execute(setup.sql(dialect));
      const { local, ...options } = setup.options ?? {};
      platform = await startTestPlatform({
        modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'hal', 'database'],
        ...options,
        local: {
          ...local,
          'platform-db': { adapters: { shop: adapter() } },
          'platform-hosting': { apis: { Shop: { versions: { '1': { services: setup.services } } } } },
        },
      });
    }, 60_000);
    afterAll(() => platform.stop());
    tests({ it: own, dialect, platform: () => platform, execute });
  }
}
