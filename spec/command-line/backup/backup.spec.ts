import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { list } from 'tar';
import { ProjectCopy } from '../../../src/command-line/backup/copy-project';
import { openDatabase } from '../../../src/modules/database/adapters/sqlite/sqlite-driver';
import { makeProject, ROOT, startTestPlatform } from '../../factories/platform';
import { run } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';
import { START_TIMEOUT_MS } from '../../factories/test-timeout';
import { sendJson } from '../../factories/http/requests';
import { HOSTING } from '../../factories/processes/start-refusal';
import { contentOf, platform } from './run-backup';

let root: string;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'backup-'));
  root = makeProject({
    modules: HOSTING,
    files: { 'config/.htpasswd': 'amy:x\n', 'data/revisions/000001.json': '{}', 'data/empty.json': '' },
  });
  chmodSync(path.join(root, 'config/.htpasswd'), 0o600);
});
afterEach(() => {
  for (const one of [folder, root]) rmSync(one, { recursive: true, force: true });
});

const file = (name: string): string => path.join(folder, name);

describe('apidesc-platform backup', () => {
  it.each(['backup.tar.gz', 'backup.tgz', 'backup'])(
    'saves every file with its mode, and restore returns them: %s',
    async (name) => {
      const saved = await platform('backup', file(name), '--root', root);
      expect(saved).toEqual({
        code: 0,
        out: expect.stringMatching(
          /^Saved 5 files \(\d+ bytes\) in .*backup.*\nIt contains password files and may contain secrets: keep it private\.\n$/,
        ) as unknown,
        err: '',
      });
      const restored = await platform('restore', file(name), '--root', file('new'));
      expect(restored).toMatchObject({ code: 0, err: '' });
      expect(restored.out).toMatch(
        /^Restored 5 files of \d{4}-.*Z\.\nNext: apidesc-platform config check, then start the service\.\n$/,
      );
      expect(contentOf(file('new'))).toEqual(contentOf(root));
      expect(readdirSync(file('new')).sort()).toEqual(['config', 'data']);
    },
  );

  it('can be read by its owner only, and begins with its manifest', async () => {
    await platform('backup', file('a.tgz'), '--root', root);
    await platform('backup', file('b'), '--root', root);
    expect(statSync(file('a.tgz')).mode & 0o777).toBe(0o600);
    expect(statSync(file('b')).mode & 0o777).toBe(0o700);
    const names: string[] = [];
    await list({ file: file('a.tgz'), onReadEntry: (entry) => names.push(entry.path) });
    expect(names[0]).toBe('backup.json');
    expect(JSON.parse(readFileSync(file('b/backup.json'), 'utf8'))).toMatchObject({
      format: 1,
      node: process.versions.node,
      not_included: [],
    });
  });

  it('names what was removed meanwhile, such as a log that was rotated', async () => {
    mkdirSync(path.join(root, 'data/old'));
    for (const name of ['access.log', 'old/a.log', 'z.json'])
      writeFileSync(path.join(root, 'data', name), '');
    const copy = new ProjectCopy(root, folder);
    await copy.copy('data', (name) => {
      if (name === 'data/access.log' || name === 'data/old')
        rmSync(path.join(root, name), { recursive: true });
      return false;
    });
    expect(copy.skipped).toEqual([
      'data/access.log (it was removed in the meantime)',
      'data/old (it was removed in the meantime)',
    ]);
    expect(copy.folders.map((one) => one.path)).toEqual(['data', 'data/revisions']);
    expect(copy.files.map((one) => one.path)).toContain('data/z.json');
    expect(readdirSync(file('data'))).not.toContain('access.log');
  });

  it('leaves out locks and drafts of running processes, and names what it cannot save', async () => {
    const draft = 'local.json.9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d.tmp';
    writeFileSync(path.join(root, 'data/users.lock'), '');
    writeFileSync(path.join(root, 'config/autoload', draft), '');
    symlinkSync(tmpdir(), path.join(root, 'data/elsewhere'));
    symlinkSync('nothing', path.join(root, 'data/broken'));
    const { code, err } = await platform('backup', file('b'), '--root', root);
    expect(code).toBe(0);
    expect(err).toBe(
      'Warning: not included: data/broken (a link to nothing).\n' +
        'Warning: not included: data/elsewhere (a link to a folder).\n',
    );
    expect(Object.keys(contentOf(file('b')))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/lock|tmp/)]),
    );
  });

  withPrograms('unshare').it.each([
    ['full', 'dd if=/dev/zero of="$1/data/fill" bs=1k 2>/dev/null || true'],
    ['read-only', 'mount -o remount,ro "$1/data"'],
  ])(
    'saves a project with a closed database on a %s disk to another one',
    async (_, prepare) => {
      const database = openDatabase(file('shop#1.sqlite'));
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE orders (id); INSERT INTO orders VALUES (7)');
      database.close();
      const script = `mount -t tmpfs -o size=1m tmpfs "$1/data"
        mkdir -p "$1/data/project/data" && cp -r "$1/config" "$1/data/project/"
        cp "$5" "$1/data/project/data/"
        ${prepare}
        "$2" "$3" backup "$4" --root "$1/data/project"`;
      const cli = path.join(ROOT, 'dist/cli.js');
      const words = [root, process.execPath, cli, file('b'), file('shop#1.sqlite')];
      expect(await run('unshare', ['-rm', 'sh', '-ec', script, 'sh', ...words])).toMatchObject({ code: 0 });
      expect(readFileSync(file('b/config/.htpasswd'), 'utf8')).toBe('amy:x\n');
      expect(readdirSync(file('b/data'))).toEqual(['shop#1.sqlite']);
      const copy = openDatabase(file('b/data/shop#1.sqlite'));
      const rows = copy.prepare('SELECT id FROM orders').all();
      copy.close();
      expect(rows).toEqual([{ id: 7 }]);
    },
    START_TIMEOUT_MS,
  );

  withPrograms('unshare').it(
    'advises another disk if that of its target is full',
    async () => {
      const script = `mount -t tmpfs -o size=1m tmpfs "$1/data"
        mkdir "$1/data/project" && cp -r "$1/config" "$1/data/project/"
        dd if=/dev/zero of="$1/data/fill" bs=1k 2>/dev/null || true
        "$2" "$3" backup "$1/data/b" --root "$1/data/project" 2>&1 || ls "$1/data"`;
      const words = [root, process.execPath, path.join(ROOT, 'dist/cli.js')];
      const target = path.join(root, 'data/b');
      expect(await run('unshare', ['-rm', 'sh', '-ec', script, 'sh', ...words])).toMatchObject({
        output: `${target} cannot be written: the disk is full. Free some space and retry, or specify a target on another disk.\nfill\nproject\n`,
      });
    },
    START_TIMEOUT_MS,
  );

  it('saves linked folders of the configuration, such as those of an environment or of Kubernetes', async () => {
    const text = JSON.stringify({ server: { port: 0 } });
    for (const name of ['outside', 'config/staging']) mkdirSync(path.join(root, name));
    writeFileSync(path.join(root, 'outside/a.json'), text);
    writeFileSync(path.join(root, 'config/staging/b.json'), text);
    mkdirSync(path.join(root, 'config/environments'));
    symlinkSync(path.join(root, 'outside'), path.join(root, 'config/environments/production'));
    symlinkSync('../staging', path.join(root, 'config/environments/staging'));
    const { code, out, err } = await platform('backup', file('b.tgz'), '--root', root);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const [name, target] of Object.entries({ production: 'outside', staging: 'config/staging' }))
      expect(out).toContain(
        `Included: config/environments/${name}, a link to ${path.join(realpathSync(root), target)}\n`,
      );
    await platform('restore', file('b.tgz'), '--root', file('new'));
    for (const name of ['production/a.json', 'staging/b.json'])
      expect(readFileSync(file(`new/config/environments/${name}`), 'utf8')).toBe(text);
  });

  it.each(['b', 'b.tgz'])('follows no link to a folder that contains the backup: %s', async (name) => {
    symlinkSync(folder, path.join(root, 'config/shared'));
    writeFileSync(file('a.json'), '{}');
    mkdirSync(file('backups'));
    expect(await platform('backup', file(`backups/${name}`), '--root', root)).toMatchObject({
      code: 0,
      err: 'Warning: not included: config/shared (a link to a folder that contains the backup).\n',
    });
    expect(readdirSync(file('backups'))).toEqual([name]);
  });

  it('refuses a target inside of the folder that config/ links to, on either path', async () => {
    renameSync(path.join(root, 'config'), file('real'));
    symlinkSync(file('real'), path.join(root, 'config'));
    for (const target of [file('real/new/b.tgz'), path.join(root, 'config/b')]) {
      const { code, err } = await platform('backup', target, '--root', root);
      expect([code, err]).toEqual([
        1,
        `${target} is inside config/, which is saved. Specify a target outside of it.\n`,
      ]);
    }
    expect(readdirSync(file('real')).filter((name) => /new|^b/.test(name))).toEqual([]);
  });

  it('saves a linked folder at most 10 times, however many paths lead to it', async () => {
    for (let i = 0; i < 11; i++) {
      mkdirSync(file(`linked/${i}`), { recursive: true });
      for (const name of ['a', 'b']) symlinkSync(`../${i + 1}`, file(`linked/${i}/${name}`));
    }
    mkdirSync(file('linked/11'));
    writeFileSync(file('linked/11/x.json'), '{}');
    symlinkSync(file('linked/0'), path.join(root, 'config/linked'));
    const { code, err } = await platform('backup', file('b'), '--root', root);
    expect(code).toBe(0);
    expect(err).toContain('(a link to a folder that is included 10 times).');
    expect(Object.keys(contentOf(file('b'))).filter((name) => name.endsWith('x.json'))).toHaveLength(10);
  });

  it.each([
    ['a folder', 'config/environments/production'],
    ['the configuration', 'config'],
  ])(
    'saves what a ConfigMap has once, without its ..data, and a restored project has it: %s',
    async (_, at) => {
      const volume = path.join(root, at);
      mkdirSync(path.join(volume, '..2026_1/more'), { recursive: true });
      for (const name of ['a.json', 'more/b.json'])
        writeFileSync(path.join(volume, '..2026_1', name), '{"b":0}');
      symlinkSync('..2026_1', path.join(volume, '..data'));
      for (const name of ['a.json', 'more']) symlinkSync(`..data/${name}`, path.join(volume, name));
      expect(await platform('backup', file('b'), '--root', root)).toMatchObject({ code: 0, err: '' });
      await platform('restore', file('b'), '--root', file('new'));
      const names = readdirSync(path.join(file('new'), at));
      expect(names).toEqual(expect.arrayContaining(['a.json', 'more']));
      expect(names.filter((one) => one.startsWith('..'))).toEqual([]);
      for (const name of ['a.json', 'more/b.json'])
        expect(readFileSync(path.join(file('new'), at, name), 'utf8')).toBe('{"b":0}');
    },
  );

  it('saves the folder of a link ..data if what has the same names next to it is not linked to it', async () => {
    const volume = path.join(root, 'config/production');
    const files = ['a.json', 'sub/d.json', '..2026_1/a.json', '..2026_1/sub/d.json'];
    for (const name of files) {
      mkdirSync(path.dirname(path.join(volume, name)), { recursive: true });
      writeFileSync(path.join(volume, name), JSON.stringify({ name }));
    }
    symlinkSync('..2026_1', path.join(volume, '..data'));
    expect(await platform('backup', file('b'), '--root', root)).toMatchObject({ code: 0, err: '' });
    for (const name of files)
      expect(readFileSync(path.join(file('b/config/production'), name), 'utf8')).toContain(name);
  });

  it('saves what a volume of data/ has once, such as a Secret, and follows links into that volume only', async () => {
    const volume = path.join(root, 'data/keys');
    for (const name of ['..2026_2/k.json', '..2026_2/more/m.json', '../other/x.json']) {
      mkdirSync(path.dirname(path.join(volume, name)), { recursive: true });
      writeFileSync(path.join(volume, name), '{}');
    }
    const links = {
      '..data': '..2026_2',
      'k.json': '..data/k.json',
      more: '..data/more',
      '..2026_2/more/loop': '../more',
      elsewhere: '../other',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(volume, name));
    expect(await platform('backup', file('b'), '--root', root)).toMatchObject({
      code: 0,
      err: ['elsewhere', 'more/loop']
        .map((name) => `Warning: not included: data/keys/${name} (a link to a folder).\n`)
        .join(''),
    });
    expect(readdirSync(file('b/data/keys'), { recursive: true }).sort()).toEqual([
      'k.json',
      'more',
      'more/m.json',
    ]);
  });

  it('saves the folder of a link ..data with files that have no links next to it', async () => {
    mkdirSync(path.join(root, 'config/..own'));
    writeFileSync(path.join(root, 'config/..own/a.json'), '{}');
    symlinkSync('..own', path.join(root, 'config/..data'));
    expect(await platform('backup', file('b'), '--root', root)).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(file('b/config')).filter((one) => one.startsWith('..'))).toEqual(['..own']);
  });

  it('follows no link of the configuration to data/, which it saves without nodes/', async () => {
    mkdirSync(path.join(root, 'data/nodes'));
    writeFileSync(path.join(root, 'data/nodes/a.json'), '{}');
    symlinkSync('../data', path.join(root, 'config/data'));
    const { code, err } = await platform('backup', file('b'), '--root', root);
    expect([code, err]).toEqual([
      0,
      'Warning: not included: config/data (a link to data/, which is saved).\n',
    ]);
  });

  it('passes over a linked folder that its user cannot read, with a warning', async () => {
    mkdirSync(file('private'));
    writeFileSync(file('private/a.json'), '{}');
    symlinkSync(file('private'), path.join(root, 'config/private'));
    const copy = new ProjectCopy(root, file('copy'));
    mkdirSync(file('copy'));
    chmodSync(file('private'), 0o000);
    // As another user than root, who can read everything.
    const user = process.geteuid?.() ?? 0;
    if (user === 0) {
      for (const one of [folder, root, path.join(root, 'config'), path.join(root, 'config/.htpasswd')])
        chmodSync(one, 0o777);
      for (const one of [file('copy'), file('private')]) chownSync(one, 65_534, 65_534);
      process.seteuid?.(65_534);
    }
    try {
      await copy.copy('config', (name) => name === 'config/.htpasswd');
    } finally {
      process.seteuid?.(user);
    }
    expect(copy.skipped).toEqual(['config/private (it cannot be read)']);
    expect(copy.files.map((one) => one.path)).toContain('config/application.json');
  });

  it('follows no link to a folder that contains it, also through others', async () => {
    const links = { 'config/up': '..', 'config/a/to-b': '../b', 'config/b/to-a': '../a' };
    for (const [name, target] of Object.entries(links)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      symlinkSync(target, path.join(root, name));
    }
    const { code, err } = await platform('backup', file('b'), '--root', root);
    expect({ code, err }).toEqual({
      code: 0,
      err: ['a/to-b/to-a', 'b/to-a/to-b', 'up']
        .map((name) => `Warning: not included: config/${name} (a link to a folder that contains it).\n`)
        .join(''),
    });
  });

  it('saves files and folders that only have the names of locks and of companions of databases', async () => {
    const kept = ['flake.lock', 'x.lock/a', 'notes', 'notes-journal', 'trip/a', 'trip-journal/a', 'b-wal'];
    const uuid = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';
    for (const name of [...kept, `users.json.lock/${uuid}/owner`]) {
      mkdirSync(path.dirname(path.join(root, 'data', name)), { recursive: true });
      writeFileSync(path.join(root, 'data', name), 'x');
    }
    expect((await platform('backup', file('b'), '--root', root)).code).toBe(0);
    const names = Object.keys(contentOf(file('b')));
    expect(kept.filter((name) => !names.some((one) => one.endsWith(`data/${name}`)))).toEqual([]);
    expect(names.filter((name) => name.includes('users.json'))).toEqual([]);
  });

  it('leaves out files whose names a restore refuses, with a warning', async () => {
    mkdirSync(path.join(root, 'data/a\\b'));
    for (const name of ['data/a\\b/c', 'config/bell\u0007', 'data/plain'])
      writeFileSync(path.join(root, name), 'x');
    const { code, err } = await platform('backup', file('b.tgz'), '--root', root);
    expect({ code, err }).toEqual({
      code: 0,
      err:
        'Warning: not included: config/bell\\u{7} (its name contains a backslash or a control character).\n' +
        'Warning: not included: data/a\\b (its name contains a backslash or a control character).\n',
    });
    expect((await platform('restore', file('b.tgz'), '--root', file('new'))).code).toBe(0);
    expect(readFileSync(file('new/data/plain'), 'utf8')).toBe('x');
  });

  it('says why its folder cannot be created', async () => {
    writeFileSync(file('taken'), '');
    const failed = await platform('backup', file('taken/b.tgz'), '--root', root);
    expect([failed.code, failed.err]).toEqual([
      1,
      `${file('taken/b.tgz')} cannot be written: a file has the name of one of its folders. Move that file away.\n`,
    ]);
  });

  it('refuses a target that exists, one inside of what it saves, and a folder without config/', async () => {
    writeFileSync(file('old.tgz'), 'precious');
    const existing = await platform('backup', file('old.tgz'), '--root', root);
    expect(existing.code).toBe(1);
    expect(existing.err).toBe(
      `${file('old.tgz')} already exists. Specify a new file or folder, or remove it.\n`,
    );
    expect(readFileSync(file('old.tgz'), 'utf8')).toBe('precious');
    const inside = await platform('backup', path.join(root, 'data/b.tgz'), '--root', root);
    expect(inside.err).toContain('is inside data/, which is saved. Specify a target outside of it.');
    const other = await platform('backup', file('b.tgz'), '--root', folder);
    expect(other.err).toContain('contains no folder config/. Specify the project with --root.');
    const zip = await platform('backup', file('b.zip'), '--root', root);
    expect(zip.err).toContain(
      'b.zip: only .tar.gz and .tgz are supported. Specify such a file, or a folder.',
    );
    expect(readdirSync(folder)).toEqual(['old.tgz']);
  });

  it('saves a configuration with errors, which it prints', async () => {
    writeFileSync(path.join(root, 'config/autoload/local.json'), '{');
    const { code, err } = await platform('backup', file('b.tgz'), '--root', root);
    expect(code).toBe(0);
    expect(err).toContain('Warning: the configuration has errors:\nconfig/autoload/local.json');
    expect(existsSync(file('b.tgz'))).toBe(true);
  });

  it('names the databases that are elsewhere, with the command that saves each, without its password', async () => {
    const outside = file('shop.sqlite');
    const adapters = {
      main: {
        adapter: 'PostgresAdapter',
        options: { url: 'postgres://ann:secret@db.example:5432/main?sslmode=require' },
      },
      shop: { adapter: 'SqliteAdapter', options: { file: outside } },
      near: { adapter: 'SqliteAdapter', options: { file: 'data/near.sqlite' } },
    };
    const project = makeProject({
      modules: [...HOSTING, 'database'],
      local: { 'platform-db': { adapters } },
    });
    const { err } = await platform('backup', file('b.tgz'), '--root', project);
    rmSync(project, { recursive: true });
    expect(err).toBe(
      `Warning: the database "main" is not included. Save it: pg_dump --format=custom --file='main.dump' 'postgres://ann@db.example:5432/main'\n` +
        `Warning: the database "shop" is not included. Save it: sqlite3 '${outside}' ".backup 'shop.sqlite'"\n`,
    );
    const restored = await platform('restore', file('b.tgz'), '--root', file('new'));
    expect(restored.err).toContain(
      'Warning: the database "main" is not in the backup. It was to be saved with: pg_dump',
    );
  });
});

describe('A backup of a running service', () => {
  it('has one state of its SQLite database, which is being written', async () => {
    const adapters = { shop: { adapter: 'SqliteAdapter', options: { file: 'data/shop.sqlite' } } };
    const project = makeProject();
    mkdirSync(path.join(project, 'data'), { recursive: true });
    const source = path.join(project, 'data/shop.sqlite');
    const database = openDatabase(source);
    database.exec(
      'PRAGMA journal_mode = WAL; CREATE TABLE pairs (id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const service = {
      kind: 'table',
      adapter_name: 'shop',
      table_name: 'pairs',
      route: '/pairs[/:id]',
      route_identifier_name: 'id',
      columns: { id: {}, name: {} },
      collection: { POST: {} },
    };
    database.close();
    const running = await startTestPlatform({
      modules: [...HOSTING, 'database'],
      local: {
        'platform-db': { adapters: { shop: { adapter: 'SqliteAdapter', options: { file: source } } } },
        'platform-hosting': { apis: { Shop: { versions: { '1': { services: { Pair: service } } } } } },
      },
    });
    let acknowledged = 0;
    const done = new AbortController();
    const writer = (async () => {
      while (!done.signal.aborted) {
        const answer = await running.request('/pairs', sendJson({ name: 'x'.repeat(2000) }));
        expect(answer.status).toBe(201);
        acknowledged++;
      }
    })();
    while (acknowledged < 20) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = acknowledged;
    writeFileSync(
      path.join(project, 'config/autoload/local.json'),
      JSON.stringify({ 'platform-db': { adapters } }),
    );
    writeFileSync(
      path.join(project, 'config/application.json'),
      JSON.stringify({ modules: [...HOSTING, 'database'] }),
    );
    const saved = await platform('backup', file('b.tgz'), '--root', project);
    const after = acknowledged;
    done.abort();
    await writer;
    await running.stop();
    rmSync(project, { recursive: true });
    expect(saved).toMatchObject({ code: 0, err: '' });
    await platform('restore', file('b.tgz'), '--root', file('new'));
    expect(readdirSync(file('new/data')).filter((name) => name.startsWith('shop'))).toEqual(['shop.sqlite']);
    const copy = openDatabase(file('new/data/shop.sqlite'));
    const [row] = copy.prepare('SELECT count(*) AS rows, max(id) AS last FROM pairs').all();
    copy.close();
    const { rows, last } = row as { readonly rows: number; readonly last: number };
    expect(rows).toBe(last);
    expect(rows).toBeGreaterThanOrEqual(before);
    // One more may be written that the client does not know of yet.
    expect(rows).toBeLessThanOrEqual(after + 1);
  });
});
