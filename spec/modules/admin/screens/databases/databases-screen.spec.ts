import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { Type } from '@sinclair/typebox';
import { ContainerModule } from 'inversify';
import { startAdminPlatform, WITH_ADMIN } from '../../../../factories/admin/admin';
import { startDatabasePlatform, type DatabaseOptions } from '../../../../factories/admin/admin-databases';
import { textOf } from '../../../../factories/admin/admin-pages';
import { fieldsOf } from '../../../../factories/admin/page-form';
import { reusedPlatform } from '../../../../factories/reused-platform';
import type { Module } from '../../../../../src/framework';
import { driftOf, snapshotText, type DatabaseAdapterFactory } from '../../../../../src/modules/database';
import { SqliteAdapter } from '../../../../../src/modules/database/adapters/sqlite/sqlite-adapter';

const gone = { adapter: 'PostgresAdapter', options: { url: 'postgres://ann:hush@127.0.0.1:9/gone' } };
const { platform, restart } = reusedPlatform((options: DatabaseOptions = { adapters: { gone } }) =>
  startDatabasePlatform(undefined, options),
);

const page = async (below: string): Promise<string> => (await platform.ada.get(below)).text();
const text = async (below: string): Promise<string> => textOf(await page(below));

/** Writes the snapshot of the database, as `db pull` does. */
async function pull(): Promise<void> {
  const adapter = new SqliteAdapter({ file: platform.database });
  const model = await adapter.introspect();
  await adapter.close();
  expect(driftOf(model, model)).toEqual([]);
  mkdirSync(path.join(platform.root, 'config/db'), { recursive: true });
  writeFileSync(path.join(platform.root, 'config/db/shop.json'), snapshotText(model));
}

describe('The page of databases', () => {
  it('lists the databases with their target, state and services', async () => {
    expect(await text('/databases')).toMatch(/shop SqliteAdapter .*shop\.sqlite available 1 Test connection/);
  });

  it('tests a connection with a button, and reports success and failure', async () => {
    const good = await platform.ada.post('/databases/shop/test', {});
    expect([good.status, textOf(await good.text())]).toEqual([
      200,
      expect.stringMatching(/Connected to shop in \d+ ms\./) as string,
    ]);
    const bad = await (await platform.ada.post('/databases/gone/test', {})).text();
    expect(textOf(bad)).toMatch(/gone cannot be reached \(\d+ ms\)/);
    expect(bad).toContain('127.0.0.1:9/gone');
    for (const shown of [bad, await page('/databases/gone'), await page('/configuration?search=gone')])
      expect(shown).not.toContain('hush');
  });

  it('explains how to begin without databases, and without the module', async () => {
    const bare = await startAdminPlatform({ modules: WITH_ADMIN.filter((name) => name !== 'atlas') });
    try {
      const shown = textOf(await (await bare.ada.get('/databases')).text());
      expect(shown).toContain('The module “database” is not loaded.');
      expect((await bare.ada.get('/databases/shop')).status).toBe(404);
    } finally {
      await bare.stop();
    }
    expect((await platform.ada.get('/databases/nope')).status).toBe(404);
    expect((await platform.ada.post('/databases/nope/test', {})).status).toBe(404);
    expect((await platform.ada.get('/databases/shop/tables/nope')).status).toBe(404);
  });
});

describe('A database that does not respond', () => {
  let silent: Server;
  let port: number;
  beforeEach(async () => {
    silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const address = silent.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  afterEach(() => silent.close());

  it('ends the connection test at its time limit', async () => {
    const url = `postgres://ann@127.0.0.1:${port}/gone`;
    await restart({
      adapters: { slow: { adapter: 'PostgresAdapter', options: { url, statement_timeout: 1 } } },
    });
    const shown = textOf(await (await platform.ada.post('/databases/slow/test', {})).text());
    expect(shown).toMatch(/slow cannot be reached/);
  });
});

describe('The page of a database', () => {
  it('lists tables and views with their keys, and the services over them', async () => {
    const shown = await text('/databases/shop');
    expect(shown).toMatch(/cheap view 2 – None New service/);
    expect(shown).toMatch(/products 5 id Product Shop v1 New service/);
    expect(shown).toContain('None: the tables are read at each start.');
  });

  it('does not claim that a database without a snapshot has no tables while it cannot be reached', async () => {
    const shown = await text('/databases/gone');
    expect(shown).toMatch(
      /The database cannot be reached: .* Tables and views Unknown until the database can be reached/,
    );
    expect(shown).not.toContain('No tables');
  });

  it('shows nested options of a kind that a module adds as JSON', async () => {
    const factory: DatabaseAdapterFactory = {
      opens: 'database',
      settings: Type.Object({
        pool: Type.Object({ size: Type.Integer() }),
        hosts: Type.Array(Type.String()),
      }),
      open: (_, { root }) => new SqliteAdapter({ file: path.join(root, 'custom.sqlite') }),
    };
    const custom: Module = {
      name: 'custom',
      services: new ContainerModule(({ bind }) => {
        bind('CustomAdapter').toConstantValue(factory);
      }),
    };
    const options = { pool: { size: 3 }, hosts: ['a', 'b'] };
    await restart({
      extra: [custom],
      adapters: { other: { adapter: 'CustomAdapter', options } },
    });
    expect(await text('/databases/other')).toMatch(/pool \{"size":3\} hosts \["a","b"\]/);
  });

  it('shows names as text', async () => {
    const shown = await page('/databases/shop');
    expect(shown).not.toContain('<b>lines</b>');
    const link = /href="\/platform\/admin(\/databases\/shop\/tables\/order[^"]*)"/.exec(shown)?.[1] ?? '';
    expect(await text(link)).toContain('order & <b>lines</b> table');
  });

  it('keeps hundreds of tables usable: filters them by the names of tables and columns, in pages', async () => {
    const tables = Array.from(
      { length: 300 },
      (_, at) => `CREATE TABLE t${at} (id INTEGER PRIMARY KEY, c${at} TEXT);`,
    );
    await restart({ sql: tables.join('') });
    const first = await text('/databases/shop');
    expect(first).toContain('304 tables and views.');
    expect(first).toContain('Page 1 of 7');
    expect(await text('/databases/shop?page=7')).toContain('Previous Page 7 of 7');
    const found = await text('/databases/shop?search=c299');
    expect(found).toContain('1 table or view found.');
    expect(found).toContain('t299 2 id');
    expect(await text('/databases/shop?state=used')).toContain('1 table or view found.');
    expect(await text('/databases/shop?search=nothing')).toContain('No tables found.');
  });

  it('shows how the database differs from its snapshot', async () => {
    await pull();
    expect(await text('/databases/shop')).toContain('The snapshot matches the database.');
    platform.execute(`ALTER TABLE products DROP COLUMN state; ALTER TABLE makers ADD COLUMN town TEXT;
      CREATE TABLE added (id INTEGER PRIMARY KEY);`);
    const shown = await text('/databases/shop');
    expect(shown).toContain(
      'The column products.state does not exist. Services that use it respond with 503.',
    );
    expect(shown).toContain('The column makers.town is new.');
    expect(shown).toMatch(/added not in the snapshot 1 id None –/);
    expect(await text('/databases/shop?state=drift')).toContain('3 tables and views found.');
    expect(await text('/databases/shop/tables/added')).toContain('The snapshot does not contain this table.');
  });
});

describe('The page that updates a snapshot', () => {
  const SNAPSHOT = '/databases/shop/snapshot';
  const PULLED = '/databases/shop';

  it('shows the differences, writes the snapshot and builds the services from it', async () => {
    const first = await page(SNAPSHOT);
    expect(textOf(first)).toMatch(/Write a snapshot of shop.*makers.*products/s);
    expect((await platform.ada.post(SNAPSHOT, fieldsOf(first, 'tag'))).status).toBe(303);
    expect(await text(PULLED)).toContain('The snapshot matches the database.');
    expect(await text(SNAPSHOT)).toContain('there is nothing to update');
    platform.execute('ALTER TABLE products RENAME COLUMN price TO cost');
    await platform.host.reload();
    const shown = await page(SNAPSHOT);
    expect(textOf(shown)).toContain('The column products.price does not exist.');
    expect((await platform.ada.post(SNAPSHOT, fieldsOf(shown, 'tag'))).status).toBe(303);
    expect(await text(PULLED)).toContain('The snapshot matches the database.');
    // The service names the old column.
    expect((await platform.request('/shop/products')).status).toBe(503);
    expect((await platform.ada.get('/apis/Shop-v1/services')).status).toBe(200);
  });

  it('shows them again if the tables have changed since the review', async () => {
    const shown = await page(SNAPSHOT);
    platform.execute('CREATE TABLE added (id INTEGER PRIMARY KEY)');
    const answer = await platform.ada.post(SNAPSHOT, fieldsOf(shown, 'tag'));
    expect([answer.status, textOf(await answer.text())]).toEqual([
      412,
      expect.stringMatching(/The tables have changed since you loaded this page.*added/s) as string,
    ]);
  });

  it('writes nothing while the configuration files are invalid: no services could be built from it', async () => {
    const shown = await page(SNAPSHOT);
    const local = path.join(platform.root, 'config/autoload/local.json');
    const before = readFileSync(local);
    writeFileSync(local, '{');
    const answer = await platform.ada.post(SNAPSHOT, fieldsOf(shown, 'tag'));
    writeFileSync(local, before);
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining('The configuration is invalid') as string,
    ]);
    expect(existsSync(path.join(platform.root, 'config/db/shop.json'))).toBe(false);
  });

  it('explains that a database cannot be read', async () => {
    const answer = await platform.ada.get('/databases/gone/snapshot');
    const body = await answer.text();
    expect([answer.status, body]).toEqual([503, expect.stringContaining('cannot be read') as string]);
    expect(body).not.toContain('hush');
  });
});

describe('The page of a table', () => {
  it('shows columns, keys, indexes, constraints and services', async () => {
    const shown = await text('/databases/shop/tables/products');
    expect(shown).toMatch(/id key INTEGER no assigned/);
    expect(shown).toMatch(/price INTEGER no – minimum 0/);
    expect(shown).toMatch(/state TEXT no 'open' one of open, closed/);
    expect(shown).toMatch(/Foreign keys maker_id → makers \( ?id ?\)/);
    expect(shown).toMatch(/Indexes .*price, id/);
    expect(shown).toContain('Product Shop v1');
  });
});
