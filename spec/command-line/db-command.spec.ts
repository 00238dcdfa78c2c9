import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { registerDatabase } from '../../src/command-line/db-command';
import { registerInspect } from '../../src/command-line/inspect/command';
import { openDatabase } from '../../src/modules/database/adapters/sqlite/sqlite-driver';
import { runWords, type CommandResult } from '../factories/processes/command';
import { makeProject, startTestPlatform } from '../factories/platform';
import { bodyOf } from '../factories/http/requests';
import { HOSTING } from '../factories/processes/start-refusal';

const adapters = { shop: { adapter: 'SqliteAdapter', options: { file: 'data/shop.sqlite' } } };
const product = {
  kind: 'table',
  adapter_name: 'shop',
  table_name: 'products',
  route: '/products[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, name: {} },
  collection: { GET: {} },
};

let root: string;
beforeEach(() => {
  root = makeProject({
    modules: [...HOSTING, 'database'],
    local: { 'platform-db': { adapters } },
  });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const platform = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerDatabase], [...words, '--root', root]);

function execute(sql: string): void {
  mkdirSync(path.join(root, 'data'), { recursive: true });
  const database = openDatabase(path.join(root, 'data/shop.sqlite'));
  database.exec(sql);
  database.close();
}

const migration = (name: string, sql: string): void => {
  mkdirSync(path.join(root, 'migrations/shop'), { recursive: true });
  writeFileSync(path.join(root, 'migrations/shop', name), sql);
};

describe('apidesc-platform db migrate', () => {
  // Only root may give files away.
  const asRoot = process.getuid?.() === 0 ? it : it.skip;

  asRoot('by root creates a database of the owner of its folder', async () => {
    mkdirSync(path.join(root, 'data'));
    chownSync(path.join(root, 'data'), 65_534, 65_534);
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT);\n');
    expect(await platform('db', 'migrate')).toMatchObject({ code: 0 });
    const owners = readdirSync(path.join(root, 'data')).map(
      (name) => statSync(path.join(root, 'data', name)).uid,
    );
    expect(new Set(owners)).toEqual(new Set([65_534]));
  });

  asRoot('by root gives nobody the file that a link in their folder leads to', async () => {
    mkdirSync(path.join(root, 'data'));
    chownSync(path.join(root, 'data'), 65_534, 65_534);
    symlinkSync('../of-root.sqlite', path.join(root, 'data/shop.sqlite'));
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT);\n');
    expect(await platform('db', 'migrate')).toMatchObject({ code: 0 });
    expect(statSync(path.join(root, 'of-root.sqlite')).uid).toBe(0);
  });

  it('applies pending files once, in order, and writes the snapshot', async () => {
    migration('2_index.sql', 'CREATE INDEX by_name ON products(name);');
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT);\n');
    expect((await platform('db', 'status')).out).toBe('pending  1_products.sql\npending  2_index.sql\n');
    const applied = await platform('db', 'migrate');
    expect(applied).toMatchObject({ code: 0, err: '' });
    expect(applied.out).toContain('Applied 1_products.sql\nApplied 2_index.sql\n');
    const snapshot = readFileSync(path.join(root, 'config/db/shop.json'), 'utf8');
    expect(JSON.parse(snapshot)).toHaveProperty('tables.products.columns.name.type', 'text');
    expect((await platform('db', 'migrate')).out).toContain('No pending migrations.');
    expect((await platform('db', 'status')).out).toBe('applied  1_products.sql\napplied  2_index.sql\n');
  });

  it('applies nothing when one file fails', async () => {
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY);');
    migration('2_wrong.sql', 'CREATE TABEL wrong(id);');
    const failed = await platform('db', 'migrate');
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('migrations/shop/2_wrong.sql:1: near "TABEL": syntax error');
    expect((await platform('db', 'status')).out).toBe('pending  1_products.sql\npending  2_wrong.sql\n');
  });

  it('refuses to continue after an applied file was changed or removed', async () => {
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY);');
    await platform('db', 'migrate');
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT);');
    expect((await platform('db', 'migrate')).err).toContain('was changed after it was applied');
    rmSync(path.join(root, 'migrations/shop/1_products.sql'));
    expect((await platform('db', 'status')).out).toBe('missing  1_products.sql\n');
  });

  it('applies a file that precedes applied ones only with an option', async () => {
    migration('2_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY);');
    await platform('db', 'migrate');
    migration('1_makers.sql', 'CREATE TABLE makers(id INTEGER PRIMARY KEY);');
    expect((await platform('db', 'status')).out).toContain(
      'pending  1_makers.sql  (out of order: before 2_products.sql, which is applied)',
    );
    const refused = await platform('db', 'migrate');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('apply it with --out-of-order');
    expect((await platform('db', 'migrate', '--out-of-order')).out).toContain('Applied 1_makers.sql');
  });

  it('is done once by several processes that start it together', async () => {
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY);');
    const all = await Promise.all([1, 2, 3].map(() => platform('db', 'migrate')));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(all.filter(({ out }) => out.includes('Applied'))).toHaveLength(1);
  });
});

describe('a db command that cannot do its work', () => {
  it.each(['status', 'migrate', 'check', 'pull'])('%s names the module that is missing', async (command) => {
    writeFileSync(path.join(root, 'config/application.json'), JSON.stringify({ modules: HOSTING }));
    writeFileSync(path.join(root, 'config/autoload/local.json'), '{}');
    expect(await platform('db', command)).toEqual({
      code: 1,
      out: '',
      err: 'The commands of "db" need the module "database"; add it to "modules" in config/application.json.\n',
    });
  });

  it('names a folder that has the name of a migration, and one that is a file', async () => {
    mkdirSync(path.join(root, 'migrations/shop/dir.sql'), { recursive: true });
    expect((await platform('db', 'status')).err).toMatch(
      /migrations\/shop\/dir\.sql cannot be read: it is a folder, and migrations are files\. Rename or remove it\.\n$/,
    );
    rmSync(path.join(root, 'migrations/shop'), { recursive: true });
    writeFileSync(path.join(root, 'migrations/shop'), '');
    expect((await platform('db', 'status')).err).toMatch(
      /migrations\/shop cannot be read: .*Move the file away/,
    );
    expect((await platform('db', 'new', 'x')).err).toMatch(
      /migrations\/shop\/\d+_x\.sql .*Move that file away/,
    );
  });

  it('names the folder of a database that cannot be created', async () => {
    writeFileSync(path.join(root, 'data'), '');
    const { code, err } = await platform('db', 'status');
    expect(code).toBe(1);
    expect(err).toContain(
      `The folder ${path.join(root, 'data')} cannot be created: a part of this path is a file. Move the file away`,
    );
  });
});

describe('apidesc-platform db new', () => {
  it('shortens the name of a file with a long title, and keeps the title on one line', async () => {
    const title = `Add\n${'x'.repeat(400)}`;
    expect(await platform('db', 'new', title)).toMatchObject({ code: 0, err: '' });
    const [file = ''] = readdirSync(path.join(root, 'migrations/shop'));
    expect(file).toMatch(/^\d{14}_add_x{96}\.sql$/);
    expect(readFileSync(path.join(root, 'migrations/shop', file), 'utf8')).toBe(
      `-- Add ${'x'.repeat(400)}\n`,
    );
  });

  it('creates a file that is named by time and title', async () => {
    mkdirSync(path.join(root, 'migrations'));
    // Only root may give files away.
    if (process.getuid?.() === 0) chownSync(path.join(root, 'migrations'), 65_534, 65_534);
    const { out } = await platform('db', 'new', 'Add products!');
    const of = (name: string) => statSync(path.join(root, name)).uid;
    for (const name of readdirSync(path.join(root, 'migrations/shop')))
      expect(of(`migrations/shop/${name}`)).toBe(of('migrations'));
    const [file = ''] = readdirSync(path.join(root, 'migrations/shop'));
    expect(file).toMatch(/^\d{14}_add_products\.sql$/);
    expect(out).toContain(file);
  });

  it('says that a file exists, whose title was given in the same second', async () => {
    const results = [];
    // The second may end between two of them.
    for (let at = 0; at < 3; at++) results.push(await platform('db', 'new', 'same'));
    expect(results.map(({ err }) => err).join('')).toMatch(
      /migrations\/shop\/\d{14}_same\.sql exists already: choose another title, or retry in a second\./,
    );
  });
});

describe('apidesc-platform db pull', () => {
  it('keeps the snapshot of a file that does not exist', async () => {
    const snapshot = (): string => readFileSync(path.join(root, 'config/db/shop.json'), 'utf8');
    execute('CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT)');
    expect((await platform('db', 'pull')).out).toContain('shop.json written (1 table).');
    const before = snapshot();
    rmSync(path.join(root, 'data'), { recursive: true });
    const { code, err } = await platform('db', 'pull');
    expect(code).toBe(1);
    expect(err).toContain('data/shop.sqlite) does not exist. Create it: apidesc-platform db migrate');
    expect(snapshot()).toBe(before);
  });
});

describe('apidesc-platform db check', () => {
  it('fails when services cannot run, and names new columns', async () => {
    execute('CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT)');
    expect((await platform('db', 'check')).err).toContain('There is no snapshot');
    await platform('db', 'pull');
    expect(await platform('db', 'check')).toMatchObject({
      code: 0,
      out: 'The snapshot matches the database.\n',
    });
    execute('ALTER TABLE products ADD COLUMN price INTEGER');
    const noted = await platform('db', 'check');
    expect(noted).toMatchObject({ code: 0 });
    expect(noted.out).toContain('Note: the column products.price is new.');
    execute('ALTER TABLE products DROP COLUMN name');
    const failed = await platform('db', 'check');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('Error: the column products.name does not exist.');
    expect(failed.err).toContain('Write the snapshot again: apidesc-platform db pull --adapter shop');
  });

  it('advises to apply the migrations that are pending, and not to write the snapshot of a new database', async () => {
    migration('1_products.sql', 'CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT);\n');
    await platform('db', 'migrate');
    rmSync(path.join(root, 'data'), { recursive: true });
    const failed = await platform('db', 'check');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('Error: the table products does not exist.');
    expect(failed.err).toContain('Apply the pending migrations: apidesc-platform db migrate --adapter shop');
  });

  it('fails when a full-text index does not exist any more', async () => {
    execute(
      "CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT); CREATE VIRTUAL TABLE product_search USING fts5 (name, content='products', content_rowid='id')",
    );
    await platform('db', 'pull');
    execute('DROP TABLE product_search');
    const failed = await platform('db', 'check');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('Error: the full-text index of products does not exist.');
  });

  it('says which database is meant when there are several or none', async () => {
    const write = (value: unknown): void =>
      writeFileSync(
        path.join(root, 'config/autoload/local.json'),
        JSON.stringify({ 'platform-db': { adapters: value } }),
      );
    write({ ...adapters, other: adapters.shop });
    expect((await platform('db', 'check')).err).toContain('--adapter shop or --adapter other');
    expect((await platform('db', 'check', '--adapter', 'shpo')).err).toContain('Did you mean "shop"?');
    write({});
    expect((await platform('db', 'check')).err).toContain('No database is configured');
  });
});

describe('a service that matches the database, and not its snapshot', () => {
  it.each([
    ['a new column', 'ALTER TABLE products ADD COLUMN name TEXT', 'names the column "name"'],
    ['a new table', 'CREATE TABLE items(id INTEGER PRIMARY KEY, name TEXT)', 'has no table or view "items"'],
  ])('is an error that names the command which writes it again: %s', async (_, change, message) => {
    execute('CREATE TABLE products(id INTEGER PRIMARY KEY)');
    await platform('db', 'pull');
    execute(change);
    const service = change.includes('items') ? { ...product, table_name: 'items' } : product;
    writeFileSync(
      path.join(root, 'config/autoload/shop.global.json'),
      JSON.stringify({
        'platform-hosting': { apis: { Shop: { versions: { 1: { services: { Product: service } } } } } },
      }),
    );
    const { code, err } = await runWords([registerInspect], ['check', '--root', root]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain('Write the snapshot again: apidesc-platform db pull --adapter shop');
    await platform('db', 'pull');
    expect((await runWords([registerInspect], ['check', '--root', root])).code).toBe(0);
  });
});

describe('a service over what a pending migration creates', () => {
  it.each([
    [
      'a table',
      'CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT);',
      'has no table or view "products"',
    ],
    ['a column', 'ALTER TABLE products ADD COLUMN name TEXT;', 'names the column "name"'],
  ])('is an error that names the command which applies it: %s', async (_, sql, message) => {
    if (sql.startsWith('ALTER')) execute('CREATE TABLE products (id INTEGER PRIMARY KEY)');
    writeFileSync(
      path.join(root, 'config/autoload/shop.global.json'),
      JSON.stringify({
        'platform-hosting': { apis: { Shop: { versions: { 1: { services: { Product: product } } } } } },
      }),
    );
    migration('20260101120000_products.sql', sql);
    const { code, err } = await runWords([registerInspect], ['check', '--root', root]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain(
      'Migrations are pending. If one adds what is missing, apply them: apidesc-platform db migrate --adapter shop',
    );
    expect((await platform('db', 'migrate')).code).toBe(0);
    expect((await runWords([registerInspect], ['check', '--root', root])).code).toBe(0);
  });
});

describe('a procedure over what a pending migration creates', () => {
  it('is an error that names the command which applies it', async () => {
    const procedure = {
      kind: 'procedure',
      adapter_name: 'shop',
      route: '/names',
      sql: 'SELECT name FROM products',
    };
    writeFileSync(
      path.join(root, 'config/autoload/shop.global.json'),
      JSON.stringify({
        'platform-hosting': { apis: { Shop: { versions: { 1: { services: { Names: procedure } } } } } },
      }),
    );
    const { err: without } = await runWords([registerInspect], ['check', '--root', root]);
    expect(without).toContain('no such table: products.');
    expect(without).not.toContain('db migrate');
    migration('20260101120000_products.sql', 'CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT);');
    const { code, err } = await runWords([registerInspect], ['check', '--root', root]);
    expect([code, err]).toEqual([1, expect.stringContaining('no such table: products.')]);
    expect(err).toContain(
      'Migrations are pending. If one adds what is missing, apply them: apidesc-platform db migrate --adapter shop',
    );
    expect((await platform('db', 'migrate')).code).toBe(0);
    expect((await runWords([registerInspect], ['check', '--root', root])).code).toBe(0);
  });
});

describe('a service whose snapshot does not match the database', () => {
  it('responds with 503, and a warning at the start says why', async () => {
    execute('CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT)');
    await platform('db', 'pull');
    const snapshot = readFileSync(path.join(root, 'config/db/shop.json'), 'utf8');
    const running = await startTestPlatform({
      modules: [...HOSTING, 'database'],
      files: {
        'config/db/shop.json': snapshot.replace('"name": {', '"heading": {'),
      },
      local: {
        'platform-db': {
          adapters: {
            shop: { adapter: 'SqliteAdapter', options: { file: path.join(root, 'data/shop.sqlite') } },
          },
        },
        'platform-hosting': {
          apis: {
            Shop: {
              versions: {
                '1': {
                  services: {
                    Product: { ...product, columns: { id: {}, heading: {} } },
                    Other: { ...product, route: '/others[/:id]', columns: { id: {} } },
                  },
                },
              },
            },
          },
        },
      },
    });
    try {
      const refused = await running.request('/products');
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBeNull();
      expect(JSON.stringify(await bodyOf(refused))).not.toContain('heading');
      expect((await running.request('/others')).status).toBe(200);
      expect(running.application.warnings.join('\n')).toContain(
        'config/db/shop.json: the column products.heading does not exist. Services that use it respond with 503.',
      );
    } finally {
      await running.stop();
    }
  });
});
