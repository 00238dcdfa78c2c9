import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigObject, Module } from '../../../src/framework';
import type { Dialect, SqlExecutor } from '../../../src/modules/database/adapters/database-adapter';
import { SqliteAdapter } from '../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { startTestPlatform, type TestPlatform } from '../platform';
import { PostgresServer } from './postgres';
import { withPrograms } from '../processes/programs';
import { HOSTING } from '../processes/start-refusal';
import { START_TIMEOUT_MS } from '../test-timeout';

/** A platform with services over the tables of a database, and the database itself. */
export interface TablePlatform extends TestPlatform {
  /** Another connection to the database. */
  readonly database: SqlExecutor & {
    readonly target: string;
    runScripts(scripts: readonly string[]): Promise<void>;
  };
  /** The server of the database, if it has one. */
  readonly postgres: PostgresServer | undefined;
}

export interface TablePlatformOptions {
  /** Creates the tables. */
  readonly script: string;
  /** Services by name; `kind`, `adapter_name` and `route_identifier_name` are added. */
  readonly services: Readonly<Record<string, ConfigObject>>;
  readonly modules?: readonly string[];
  /** Modules of the test itself. */
  readonly extra?: readonly Module[];
  /** Options of the adapter. */
  readonly options?: ConfigObject;
  readonly server?: ConfigObject;
}

interface DatabaseSuite {
  readonly it: jest.It;
  readonly dialect: Dialect;
  /** Starts a platform; it ends with the suite. */
  start(options: TablePlatformOptions): Promise<TablePlatform>;
}

/** Describes the same behaviour of SQLite and of PostgreSQL, which is skipped where it is not installed. */
export function onEachDatabase(suite: (context: DatabaseSuite) => void): void {
  describe('SQLite', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tables-'));
    const ends: (() => Promise<void>)[] = [];
    afterAll(async () => {
      for (const end of ends.reverse()) await end();
      rmSync(folder, { recursive: true });
    });
    const start: DatabaseSuite['start'] = async (options) => {
      const file = path.join(folder, `${ends.length}.sqlite`);
      // Not with the adapter, which starts a thread for scripts.
      const connection = openDatabase(file);
      connection.exec(`BEGIN;\n${options.script}\n;COMMIT;`);
      connection.close();
      const database = new SqliteAdapter({ file });
      ends.push(() => database.close());
      const platform = await startTables(options, { adapter: 'SqliteAdapter', options: { file } });
      ends.push(() => platform.stop());
      return { ...platform, database, postgres: undefined };
    };
    suite({ it, dialect: 'sqlite', start });
  });
  const postgres = withPrograms('postgres');
  postgres.describe('PostgreSQL', () => {
    let server: PostgresServer;
    const platforms: TestPlatform[] = [];
    beforeAll(async () => {
      server = await PostgresServer.start();
    }, START_TIMEOUT_MS);
    afterAll(async () => {
      for (const platform of platforms) await platform.stop();
      await server.close();
    });
    const start: DatabaseSuite['start'] = async (options) => {
      const database = server.adapter({ pool: 2, statement_timeout: 60 });
      await database.runScripts([options.script]);
      const adapter = { adapter: 'PostgresAdapter', options: { url: server.url() } };
      const platform = await startTables(options, adapter);
      platforms.push(platform);
      return { ...platform, database, postgres: server };
    };
    suite({ it: postgres.it, dialect: 'postgres', start });
  });
}

/** Starts a platform with an adapter named `db`, and services over its tables in the API `Tables`. */
export function startTables(
  { services, modules = [], extra = [], options = {}, server = {} }: Omit<TablePlatformOptions, 'script'>,
  adapter: { readonly adapter: string; readonly options: ConfigObject },
): Promise<TestPlatform> {
  return startTestPlatform({
    modules: [...HOSTING, ...modules, 'database'],
    extra,
    local: {
      server,
      ...tablesSettings(services, { ...adapter, options: { ...adapter.options, ...options } }),
    },
  });
}

/** The configuration of an adapter named `db`, and services over its tables in the API `Tables`. */
function tablesSettings(
  services: Readonly<Record<string, ConfigObject>>,
  adapter: ConfigObject,
): ConfigObject {
  const table = { kind: 'table', route_identifier_name: 'id' };
  const tables = Object.entries(services).map(([name, service]) => [
    name,
    { adapter_name: 'db', ...(service.kind === undefined ? table : {}), ...service },
  ]);
  return {
    'platform-db': { adapters: { db: adapter } },
    'platform-hosting': {
      apis: { Tables: { versions: { '1': { services: Object.fromEntries(tables) as ConfigObject } } } },
    },
  };
}
