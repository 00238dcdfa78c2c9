import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject, Module } from '../../../../src/framework';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { startTables } from '../../../factories/database/table-databases';
import { writing } from '../../../factories/database/sqlite';
import { HOSTING } from '../../../factories/processes/start-refusal';

describe('a migration of a module that fails when its database becomes available', () => {
  let platform: TestPlatform;
  let executions = 0;
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'later-')), 'shop.sqlite');
  beforeAll(async () => {
    mkdirSync(file);
    const sql = (): string => {
      executions++;
      return 'CREATE TABLE products (id INTEGER PRIMARY KEY); INSERT INTO nothing VALUES (1)';
    };
    const shop: Module = { name: 'shop', migrations: { shop: { sqlite: [{ name: '1', sql }] } } };
    const product: ConfigObject = {
      kind: 'table',
      adapter_name: 'shop',
      table_name: 'products',
      route: '/products[/:id]',
      route_identifier_name: 'id',
      columns: { id: {} },
      entity: { GET: {} },
    };
    platform = await startTestPlatform({
      modules: [...HOSTING, 'database'],
      extra: [shop],
      local: {
        'platform-db': { adapters: { shop: { adapter: 'SqliteAdapter', options: { file } } } },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Product: product } } } } } },
      },
    });
  }, 60_000);
  afterAll(() => platform.stop());

  it('is reported, and not executed again and again', async () => {
    expect((await platform.request('/products/1')).status).toBe(503);
    rmSync(file, { recursive: true });
    const report = () => platform.log.lines.find(({ message }) => message.includes('could not be built'));
    while (report() === undefined) await delay(20);
    expect(String((report()?.details as { err?: unknown }).err)).toContain('module shop, migration 1');
    const reported = executions;
    // Before, the next attempts were 100 to 1,000 ms later.
    await delay(2_500);
    expect(executions).toBe(reported);
  }, 60_000);
});

const { describe: describeServer, it: itServer } = withPrograms('postgres');
describeServer('a procedure whose tables are locked at the start', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  }, 60_000);
  afterAll(() => server.close());

  itServer(
    'is announced, and available when they are free',
    async () => {
      const database = server.adapter({ statement_timeout: 60 });
      await database.runScripts(['CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1)']);
      let platform: TestPlatform | undefined;
      await database.transaction(async (executor) => {
        await executor.execute(writing('LOCK TABLE p IN ACCESS EXCLUSIVE MODE'), []);
        const services = { All: { kind: 'procedure', route: '/all', sql: 'select * from p' } };
        const options = { url: server.url(), statement_timeout: 1 };
        platform = await startTables({ services }, { adapter: 'PostgresAdapter', options });
        expect(platform.application.warnings.join('\n')).toMatch(
          /All.*could not be described.*"db".*responds with 503 until it can/,
        );
        expect((await platform.request('/all')).status).toBe(503);
      });
      try {
        while ((await platform?.request('/all'))?.status !== 200) await delay(50);
      } finally {
        await platform?.stop();
      }
    },
    30_000,
  );
});
