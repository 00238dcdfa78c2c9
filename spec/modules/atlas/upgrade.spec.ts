import type { ConfigObject, Module } from '../../../src/framework';
import type { DatabaseAdapter } from '../../../src/modules/database/adapters/database-adapter';
import { applyModuleMigrations } from '../../../src/modules/database/migrations/module-migrations';
import { migrations } from '../../../src/modules/atlas/migrations';
import { startTestPlatform } from '../../factories/platform';
import { PostgresServer } from '../../factories/database/postgres';
import { withPrograms } from '../../factories/processes/programs';
import { basic, bodyOf, sendJson } from '../../factories/http/requests';
import { SqliteFiles } from '../../factories/database/sqlite';
import { HOSTING } from '../../factories/processes/start-refusal';
import { authenticatedBy, PEOPLE } from '../../fixtures/people';

/** Atlas before its visits could be searched. */
const EARLIER: Module = {
  name: 'atlas',
  migrations: {
    atlas: { sqlite: migrations.sqlite?.slice(0, 2) ?? [], postgres: migrations.postgres?.slice(0, 2) ?? [] },
  },
};

const idOf = (at: number): string => `0190a000-0000-7000-8000-00000000000${at}`;
const VISITS = `INSERT INTO visits (visit_id, username, country_code, visited_on, note) VALUES
  ('${idOf(2)}', 'ada', 'FR', NULL, ''), ('${idOf(1)}', 'ada', 'DE', '2025-06-21', 'Rain, and good bread.'),
  ('${idOf(3)}', 'bob', 'AT', NULL, 'Bread')`;

/** Starts the present Atlas on the database, and searches in its visits. */
async function startAndSearch(atlas: ConfigObject): Promise<void> {
  const platform = await startTestPlatform({
    modules: [...HOSTING, 'atlas'],
    local: { ...authenticatedBy('basic'), 'platform-db': { adapters: { atlas } } },
    files: PEOPLE,
  });
  const ask = (to: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', basic('ada', 'password'));
    return platform.request(`/v1/atlas/visits${to}`, { ...init, headers });
  };
  try {
    expect(platform.application.warnings).toEqual([]);
    expect(await bodyOf(await ask(''))).toMatchObject({
      visits: [
        { visit_id: idOf(1), country_code: 'DE', visited_on: '2025-06-21', note: 'Rain, and good bread.' },
        { visit_id: idOf(2), country_code: 'FR', visited_on: null, note: '' },
      ],
      total_items: 2,
    });
    const found = async (): Promise<unknown> => (await bodyOf(await ask('?q=bread'))).total_items;
    expect(await found()).toBe(1);
    const made = await bodyOf(await ask('', sendJson({ country_code: 'IT', note: 'More bread' })));
    expect(await found()).toBe(2);
    expect((await ask(`/${String(made.visit_id)}`, { method: 'DELETE' })).status).toBe(204);
    expect(await found()).toBe(1);
  } finally {
    await platform.stop();
  }
}

async function upgrade(adapter: DatabaseAdapter, configuration: ConfigObject): Promise<void> {
  await applyModuleMigrations([EARLIER], 'atlas', adapter);
  await adapter.runScripts([VISITS]);
  await startAndSearch(configuration);
  // The tables are upgraded once.
  await startAndSearch(configuration);
}

describe('the visits of an earlier Atlas', () => {
  const files = new SqliteFiles();
  afterAll(() => files.close());

  it('are kept and can be searched on the embedded database', async () => {
    const adapter = files.adapter();
    await upgrade(adapter, { adapter: 'SqliteAdapter', options: { file: adapter.target } });
  }, 60_000);

  it('are found by their text after the file was compacted, which renumbers rows', async () => {
    const adapter = files.adapter();
    await applyModuleMigrations([EARLIER], 'atlas', adapter);
    await adapter.runScripts([VISITS, `DELETE FROM visits WHERE visit_id = '${idOf(2)}'`]);
    await applyModuleMigrations([{ name: 'atlas', migrations: { atlas: migrations } }], 'atlas', adapter);
    await adapter.runScripts([`DELETE FROM visits WHERE visit_id = '${idOf(1)}'`]);
    await adapter.execute({ text: 'VACUUM', kind: 'write' }, []);
    const text = `SELECT visit_id FROM visits WHERE visit_number IN (SELECT rowid FROM visit_texts WHERE visit_texts MATCH 'bread')`;
    const [found] = await adapter.execute({ text, kind: 'read' }, []);
    expect(found?.visit_id).toBe(idOf(3));
  });
});

const postgresTests = withPrograms('postgres');
postgresTests.describe('the visits of an earlier Atlas on PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => (server = await PostgresServer.start()), 60_000);
  afterAll(() => server.close());

  postgresTests.it(
    'are kept and can be searched',
    () => upgrade(server.adapter(), { adapter: 'PostgresAdapter', options: { url: server.url() } }),
    60_000,
  );
});
