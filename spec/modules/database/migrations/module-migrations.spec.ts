import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineModule, type ConfigObject, type Module } from '../../../../src/framework';
import type {} from '../../../../src/modules/database';
import { SqliteAdapter } from '../../../../src/modules/database/adapters/sqlite/sqlite-adapter';
import { applyModuleMigrations } from '../../../../src/modules/database/migrations/module-migrations';
import { Migrations } from '../../../../src/modules/database/migrations/migrations';
import { startTestPlatform } from '../../../factories/platform';
import { PostgresServer } from '../../../factories/database/postgres';
import { withPrograms } from '../../../factories/processes/programs';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const NOTES = 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(20) NOT NULL)';
const first = { name: '1_notes', sql: NOTES };
const second = { name: '2_first', sql: () => "INSERT INTO notes VALUES (1, 'first')" };

const notes = (...scripts: readonly { readonly name: string; readonly sql: string | (() => string) }[]) =>
  defineModule({
    name: 'notes',
    requires: ['database'],
    defaults: { 'platform-db': { adapters: { notes: { adapter: 'SqliteAdapter', options: {} } } } },
    migrations: { notes: { sqlite: scripts, postgres: scripts } },
  });

const service: ConfigObject = {
  kind: 'table',
  adapter_name: 'notes',
  table_name: 'notes',
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, text: {} },
  collection: { GET: {} },
};

const local: ConfigObject = {
  'platform-hosting': { apis: { Notes: { versions: { '1': { services: { Note: service } } } } } },
};

const folder = () => mkdtempSync(path.join(tmpdir(), 'migrations-'));

async function rowsOf(adapter: SqliteAdapter): Promise<readonly unknown[]> {
  return adapter.execute({ text: 'select text from notes', kind: 'read' }, []);
}

describe('the migrations of a module', () => {
  it('are applied at the start, before services read the tables, in the default file', async () => {
    const platform = await startTestPlatform({ modules: HOSTING, extra: [notes(first, second)], local });
    try {
      expect(platform.application.warnings).toEqual([]);
      expect((await bodyOf(await platform.request('/notes'))).items).toEqual([{ id: 1, text: 'first' }]);
      expect(existsSync(path.join(platform.root, 'data/notes.sqlite'))).toBe(true);
    } finally {
      await platform.stop();
    }
  });

  it('may block the process at the start, but not on a reload', async () => {
    const runScripts = jest.spyOn(SqliteAdapter.prototype, 'runScripts');
    const platform = await startTestPlatform({ modules: HOSTING, extra: [notes(first, second)], local });
    try {
      const file = path.join(platform.root, 'data/other.sqlite');
      const adapters = { notes: { adapter: 'SqliteAdapter', options: { file } } };
      writeFileSync(
        path.join(platform.root, 'config/autoload/local.json'),
        JSON.stringify({ ...local, 'platform-db': { adapters } }),
      );
      await platform.host.reload();
      expect((await bodyOf(await platform.request('/notes'))).items).toEqual([{ id: 1, text: 'first' }]);
      expect(runScripts.mock.calls.map(([, options]) => options?.mayBlock)).toEqual([true, false]);
    } finally {
      await platform.stop();
      runScripts.mockRestore();
    }
  });

  it('are applied without a service', async () => {
    const platform = await startTestPlatform({ modules: HOSTING, extra: [notes(first)] });
    try {
      expect(existsSync(path.join(platform.root, 'data/notes.sqlite'))).toBe(true);
    } finally {
      await platform.stop();
    }
  });

  it('are a warning, and a 503, while the database cannot be written', async () => {
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra: [notes(first, second)],
      local,
      // A file instead of the folder.
      files: { data: '' },
    });
    try {
      expect(platform.application.warnings).toContainEqual(
        expect.stringMatching(
          /data\/notes\.sqlite\) cannot be reached: .* Make its folder writable, or set platform-db\.adapters\.notes\.options\.file/,
        ),
      );
      expect((await platform.request('/notes')).status).toBe(503);
    } finally {
      await platform.stop();
    }
  });

  it('end the start if they fail, with module, migration, line and reason', async () => {
    const broken = {
      name: '2_stock',
      sql: 'CREATE TABLE tags (id INTEGER);\nALTR TABLE notes ADD stock INTEGER',
    };
    await expect(
      startTestPlatform({ modules: HOSTING, extra: [notes(first, broken)], local }),
    ).rejects.toThrow(/^module notes, migration 2_stock:2: near "ALTR": syntax error[^]*Nothing was applied/);
  });

  it('are a warning if they were changed after they were applied', async () => {
    const root = folder();
    const adapter = new SqliteAdapter({ file: path.join(root, 'notes.sqlite') });
    try {
      expect(await applyModuleMigrations([notes(first)], 'notes', adapter)).toEqual([]);
      const edited = { ...first, sql: NOTES.replace('20', '30') };
      expect(await applyModuleMigrations([notes(edited)], 'notes', adapter)).toEqual(['notes:1_notes']);
      expect(await applyModuleMigrations([notes(first)], 'notes', adapter)).toEqual([]);
      expect(await new Migrations(root, adapter).appliedByModules()).toEqual(['notes:1_notes']);
    } finally {
      await adapter.close();
    }
  });

  it('are applied once, and those that a later version adds as well', async () => {
    const adapter = new SqliteAdapter({ file: path.join(folder(), 'notes.sqlite') });
    await applyModuleMigrations([notes(first)], 'notes', adapter);
    await applyModuleMigrations([notes(first, second)], 'notes', adapter);
    await applyModuleMigrations([notes(first, second)], 'notes', adapter);
    expect(await rowsOf(adapter)).toEqual([{ text: 'first' }]);
    await adapter.close();
  });

  it('are applied all or none', async () => {
    const adapter = new SqliteAdapter({ file: path.join(folder(), 'notes.sqlite') });
    const broken = { name: '3_broken', sql: 'INSERT INTO nothing VALUES (1)' };
    await expect(applyModuleMigrations([notes(first, broken)], 'notes', adapter)).rejects.toThrow('nothing');
    expect((await adapter.introspect()).tables).toEqual({});
    await adapter.close();
  });

  it('are applied by one of several connections that start at once', async () => {
    const file = path.join(folder(), 'notes.sqlite');
    const adapters = Array.from({ length: 6 }, () => new SqliteAdapter({ file }));
    await Promise.all(
      adapters.map((adapter) => applyModuleMigrations([notes(first, second)], 'notes', adapter)),
    );
    for (const adapter of adapters) expect(await rowsOf(adapter)).toEqual([{ text: 'first' }]);
    await Promise.all(adapters.map((adapter) => adapter.close()));
  });

  it('exist next to the files of the project', async () => {
    const root = folder();
    const adapter = new SqliteAdapter({ file: path.join(root, 'notes.sqlite') });
    await applyModuleMigrations([notes(first, second)], 'notes', adapter);
    writeFileSync(path.join(root, '20260101120000_more.sql'), 'CREATE TABLE more (id INTEGER PRIMARY KEY)');
    const migrations = new Migrations(root, adapter);
    expect(await migrations.apply()).toEqual(['20260101120000_more.sql']);
    expect(await migrations.status()).toEqual([{ name: '20260101120000_more.sql', state: 'applied' }]);
    await adapter.close();
  });

  it('are refused if they are misspelt', async () => {
    const module = { name: 'notes', requires: ['database'], migratoins: {} } as Module;
    await expect(startTestPlatform({ modules: HOSTING, extra: [module] })).rejects.toThrow('migrations');
  });
});

const postgres = withPrograms('postgres');
postgres.describe('the migrations of a module in PostgreSQL', () => {
  postgres.it('are applied by one of several connections that start at once', async () => {
    const server = await PostgresServer.start();
    const adapters = Array.from({ length: 4 }, () => server.adapter());
    await Promise.all(
      adapters.map((adapter) => applyModuleMigrations([notes(first, second)], 'notes', adapter)),
    );
    await applyModuleMigrations([notes(first, second)], 'notes', server.adapter());
    expect(Object.keys((await server.adapter().introspect()).tables)).toEqual([
      'notes',
      'platform_migrations',
    ]);
    await server.close();
  });
});
