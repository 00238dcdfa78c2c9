import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { registerConfig } from '../../src/command-line/config/command';
import { registerDatabase } from '../../src/command-line/db-command';
import { registerDocs } from '../../src/command-line/docs/command';
import { registerInspect } from '../../src/command-line/inspect/command';
import { openDatabase } from '../../src/modules/database/adapters/sqlite/sqlite-driver';
import type { ConfigObject } from '../../src/framework';
import { runWords, type CommandResult } from '../factories/processes/command';
import { makeProject } from '../factories/platform';
import { PostgresServer } from '../factories/database/postgres';
import { withPrograms } from '../factories/processes/programs';
import { HOSTING } from '../factories/processes/start-refusal';

const FIRST =
  "CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(20)); INSERT INTO notes VALUES (1, 'first')";
const SECOND = 'ALTER TABLE notes ADD COLUMN due VARCHAR(20)';

const service = {
  kind: 'table',
  adapter_name: 'notes',
  table_name: 'notes',
  route: '/notes[/:id]',
  route_identifier_name: 'id',
  columns: { id: {}, due: {} },
  collection: { GET: {} },
};

const scripts = [
  { name: '1_notes', sql: FIRST },
  { name: '2_due', sql: SECOND },
];
const moduleWith = (migrations: typeof scripts): string =>
  `module.exports = { name: 'notes', requires: ['database'], migrations: { notes: ${JSON.stringify({ sqlite: migrations, postgres: migrations })} } };`;

let root: string;
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

function makeNotes(
  adapter: ConfigObject = { adapter: 'SqliteAdapter', options: {} },
  migrations = scripts,
): void {
  const count = {
    kind: 'procedure',
    adapter_name: 'notes',
    route: '/count',
    sql: 'select count(due) as total from notes',
    result: 'row',
  };
  root = makeProject({
    modules: [...HOSTING, 'database', 'documentation', 'documentation-apidesc', './notes.cjs'],
    local: {
      'platform-db': { adapters: { notes: adapter } },
      'platform-hosting': {
        apis: { Notes: { versions: { '1': { services: { Note: service, Count: count } } } } },
      },
    },
    files: { 'notes.cjs': moduleWith(migrations) },
  });
}

const platform = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerInspect, registerConfig, registerDocs, registerDatabase], [...words, '--root', root]);

const file = (): string => path.join(root, 'data/notes.sqlite');

/** The database of a service that runs an earlier version of the module. */
function applyFirst(): void {
  mkdirSync(path.join(root, 'data'));
  const database = openDatabase(file());
  database.exec(
    `${FIRST}; CREATE TABLE platform_migrations (name varchar(255) primary key, checksum varchar(64) not null, applied_at timestamp not null default current_timestamp); INSERT INTO platform_migrations (name, checksum) VALUES ('notes:1_notes', '')`,
  );
  database.close();
}

function columnsOf(): readonly string[] {
  const database = openDatabase(file());
  const rows = database.prepare("SELECT name FROM pragma_table_info('notes')").all();
  database.close();
  return rows.map((row) => String((row as { readonly name: unknown }).name));
}

const LOOKING = ['check', 'config check', 'routes', 'listeners route', 'db status'];

describe('read-only commands', () => {
  it.each(LOOKING)('create no database: %s', async (words) => {
    makeNotes();
    // The folder of temporary files is empty before, and after.
    const temporary = mkdtempSync(path.join(root, 'temporary-'));
    jest.replaceProperty(process, 'env', { ...process.env, TMPDIR: temporary });
    const { code } = await platform(...words.split(' '));
    expect(code).toBe(0);
    expect(existsSync(path.join(root, 'data'))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each(LOOKING)('apply no migration of a module: %s', async (words) => {
    makeNotes();
    applyFirst();
    expect((await platform(...words.split(' '))).code).toBe(0);
    expect(columnsOf()).toEqual(['id', 'text']);
  });

  it('check services in a temporary database if there is none', async () => {
    makeNotes();
    expect(await platform('check')).toMatchObject({ code: 0, err: '' });
    rmSync(root, { recursive: true });
    makeNotes(undefined, scripts.slice(0, 1));
    const { code, err } = await platform('check');
    expect([code, err]).toEqual([1, expect.stringContaining('"due"')]);
  });

  it('name the pending migrations of a database that exists', async () => {
    makeNotes();
    applyFirst();
    const { err } = await platform('config', 'check');
    expect(err).toContain(
      `Warning: Migrations of modules are pending in the database "notes" (${file()}): notes:2_due. The next start or reload applies them, as does apidesc-platform db migrate --adapter notes; the services of this database are not checked until then.`,
    );
    expect(err).not.toContain('could not be described');
    expect((await platform('db', 'status')).out).toBe(
      'applied  notes:1_notes  (of a module)\npending  notes:2_due  (of a module: applied by the next start)\n',
    );
  });

  it('check services against the snapshot while migrations are pending', async () => {
    makeNotes();
    applyFirst();
    await platform('db', 'pull');
    const { code, err } = await platform('check');
    expect([code, err]).toEqual([1, expect.stringContaining('"due"')]);
  });

  it('document services by a temporary database if there is none', async () => {
    makeNotes();
    const site = path.join(root, 'site');
    const { code } = await platform('docs', 'export', site);
    expect(code).toBe(0);
    expect(existsSync(path.join(root, 'data'))).toBe(false);
    expect(readFileSync(path.join(site, 'Notes-v1/apidesc.json'), 'utf8')).toContain('"maxLength":20');
  });

  it('say that documentation lacks what pending migrations add', async () => {
    makeNotes();
    applyFirst();
    const { code, err } = await platform('docs', 'export', path.join(root, 'site'));
    expect([code, err]).toEqual([0, expect.stringContaining('Warning: Migrations of modules are pending')]);
  });
});

describe('a db command of a project whose modules have migrations', () => {
  it('applies them with those of files, so that the snapshot has their tables: migrate', async () => {
    makeNotes();
    const migrated = await platform('db', 'migrate');
    expect(migrated).toMatchObject({ code: 0, err: '' });
    expect(migrated.out).toContain(
      'Applied notes:1_notes  (of a module)\nApplied notes:2_due  (of a module)\n',
    );
    expect(columnsOf()).toEqual(['id', 'text', 'due']);
    expect(await platform('check')).toMatchObject({ code: 0, err: '' });
    expect((await platform('db', 'migrate')).out).toContain('No pending migrations.');
  });

  it('warns of those that the snapshot lacks: pull', async () => {
    makeNotes();
    applyFirst();
    const { code, err } = await platform('db', 'pull');
    expect([code, err]).toEqual([
      0,
      'Warning: the snapshot lacks what pending migrations of modules change: notes:2_due. Apply them: apidesc-platform db migrate --adapter notes\n',
    ]);
  });

  it('writes no snapshot without tables of a database that does not exist: pull', async () => {
    makeNotes();
    const { code, err } = await platform('db', 'pull');
    expect([code, err]).toEqual([
      1,
      `The database "notes" (${file()}) does not exist. Create it: apidesc-platform db migrate --adapter notes\n`,
    ]);
    expect(existsSync(path.join(root, 'config/db'))).toBe(false);
  });
});

const postgres = withPrograms('postgres');
postgres.describe('config check before an upgrade, with PostgreSQL', () => {
  postgres.it('names the migrations of modules, and leaves the database as it is', async () => {
    const server = await PostgresServer.start();
    try {
      makeNotes({ adapter: 'PostgresAdapter', options: { url: server.url() } });
      const { code, err } = await platform('config', 'check');
      expect([code, err]).toEqual([0, expect.stringContaining('notes:1_notes, notes:2_due')]);
      expect((await server.adapter().introspect()).tables).toEqual({});
    } finally {
      await server.close();
    }
  });
});
