import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { create } from 'tar';
import fc from 'fast-check';
import { isBackupPath } from '../../../src/command-line/backup/manifest';
import { makeProject } from '../../factories/platform';
import { HOSTING } from '../../factories/processes/start-refusal';
import { contentOf, platform, runAsUser, USER } from './run-backup';

let root: string;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'restore-'));
  root = makeProject({ modules: HOSTING, files: { 'data/a.json': '[1]', 'data/b.json': '[2]' } });
});
afterEach(() => {
  for (const one of [folder, root]) rmSync(one, { recursive: true, force: true });
});

const file = (name: string): string => path.join(folder, name);

/** A backup in a folder, after a change. */
async function changed(change: (backup: string) => void): Promise<string> {
  await platform('backup', file('b'), '--root', root);
  change(file('b'));
  return file('b');
}

/** The same, as an archive. */
async function changedArchive(change: (backup: string) => void): Promise<string> {
  const backup = await changed(change);
  await create({ gzip: true, file: file('b.tgz'), cwd: backup, preservePaths: true }, [
    'backup.json',
    ...readdirSync(backup).filter((name) => name !== 'backup.json'),
  ]);
  return file('b.tgz');
}

interface Manifest {
  version: string;
  format: number;
  files: { path: string; bytes: number; sha256: string; mode: number }[];
}

const editManifest =
  (edit: (manifest: Manifest) => void) =>
  (backup: string): void => {
    const manifest = JSON.parse(readFileSync(path.join(backup, 'backup.json'), 'utf8')) as Manifest;
    edit(manifest);
    writeFileSync(path.join(backup, 'backup.json'), JSON.stringify(manifest));
  };

describe('apidesc-platform restore of folders that are not writable', () => {
  const modeOf = (name: string): string => (statSync(file(name)).mode & 0o777).toString(8);

  beforeEach(async () => {
    mkdirSync(path.join(root, 'data/keys'));
    writeFileSync(path.join(root, 'data/keys/a.json'), '{}');
    for (const name of ['config', 'data/keys', 'data']) chmodSync(path.join(root, name), 0o555);
    await platform('backup', file('b.tgz'), '--root', root);
    mkdirSync(file('new'));
    if (process.getuid?.() === 0) for (const name of ['', 'b.tgz', 'new']) chownSync(file(name), USER, USER);
  });
  afterEach(() => {
    for (const parent of [root, file('new')])
      for (const name of ['config', 'data', 'data/keys'])
        if (existsSync(path.join(parent, name))) chmodSync(path.join(parent, name), 0o755);
  });

  it('needs no privileges, and returns their modes', async () => {
    const { code, output } = await runAsUser('restore', file('b.tgz'), '--root', file('new'));
    expect([code, output]).toEqual([0, expect.stringContaining('Restored 5 files')]);
    expect(['config', 'data', 'data/keys'].map((name) => modeOf(`new/${name}`))).toEqual([
      '555',
      '555',
      '555',
    ]);
    expect(readdirSync(file('new')).sort()).toEqual(['config', 'data']);
  });

  it('leaves nothing behind when one cannot be replaced', async () => {
    // Nothing can be renamed to a link to a volume that is missing.
    symlinkSync('missing', file('new/data'));
    const { code, output } = await runAsUser('restore', file('b.tgz'), '--root', file('new'));
    expect([code, output]).toEqual([1, expect.stringContaining('(ENOTDIR)')]);
    expect(readdirSync(file('new'))).toEqual(['data']);
  });
});

describe('apidesc-platform restore', () => {
  // Nobody else may give files away.
  (process.getuid?.() === 0 ? it : it.skip)(
    'by root gives everything to the owner of what it replaces',
    async () => {
      const given = ['config/autoload', 'config/autoload/local.json', 'data', 'data/a.json'];
      for (const name of given) chownSync(path.join(root, name), USER, USER);
      await platform('backup', file('b.tgz'), '--root', root);
      rmSync(path.join(root, 'data/a.json'));
      await platform('restore', file('b.tgz'), '--root', root, '--force');
      const owners = ['config', 'config/application.json', ...given].map(
        (name) => statSync(path.join(root, name)).uid,
      );
      expect(owners).toEqual([0, 0, USER, USER, USER, USER]);
      mkdirSync(file('new'));
      chownSync(file('new'), USER, USER);
      await platform('restore', file('b.tgz'), '--root', file('new'));
      expect(statSync(file('new/config/application.json')).uid).toBe(USER);
    },
  );

  it('warns that a configuration store replaces what was restored', async () => {
    const cluster = {
      store: 'redis',
      redis: { url: 'redis://127.0.0.1:1' },
      deployment_key: 'k'.repeat(32),
    };
    const node = makeProject({ modules: [...HOSTING, 'cluster'], local: { 'platform-cluster': cluster } });
    try {
      await platform('backup', file('b.tgz'), '--root', node);
      const { code, err } = await platform('restore', file('b.tgz'), '--root', node, '--force');
      expect([code, err]).toEqual([0, expect.stringContaining('another platform-cluster.prefix')]);
      await platform('backup', file('c.tgz'), '--root', root);
      expect((await platform('restore', file('c.tgz'), '--root', root, '--force')).err).toBe('');
    } finally {
      rmSync(node, { recursive: true });
    }
  });

  it('fails for a backup that does not exist, and creates nothing', async () => {
    for (const place of [root, file('new')])
      expect(await platform('restore', file('none'), '--root', place)).toMatchObject({
        code: 1,
        err: `${file('none')} does not exist. Specify an existing backup.\n`,
      });
    expect(existsSync(file('new'))).toBe(false);
  });

  it('fails where the system creates no folder', async () => {
    await platform('backup', file('b.tgz'), '--root', root);
    const { code, err } = await platform('restore', file('b.tgz'), '--root', '/proc/new/project');
    expect(code).toBe(1);
    expect(err).toBe(
      '/proc/new cannot be written: the file system of /proc does not permit new folders. Choose another folder.\n',
    );
  });

  it('replaces config/ and data/ only with --force, and keeps the former ones', async () => {
    await platform('backup', file('b.tgz'), '--root', root);
    const saved = contentOf(root);
    writeFileSync(path.join(root, 'data/a.json'), '[3]');
    const current = contentOf(root);
    const refused = await platform('restore', file('b.tgz'), '--root', root);
    expect(refused.code).toBe(1);
    expect(refused.err).toBe(
      `${root} contains config/ and data/. Stop the service, and use --force to replace them: the current content is kept under another name. Or restore into a new folder with --root.\n`,
    );
    expect(contentOf(root)).toEqual(current);
    const { code, out } = await platform('restore', file('b.tgz'), '--root', root, '--force');
    expect(code).toBe(0);
    expect(contentOf(root)).toEqual(saved);
    const kept = [...out.matchAll(/The former content is in (\S+)\//g)].map((match) => String(match[1]));
    expect(kept).toEqual([
      expect.stringMatching(/^config\.before-restore-\d{4}-[\dTZ-]+$/),
      expect.stringMatching(/^data\.before-restore-\d{4}-[\dTZ-]+$/),
    ]);
    expect(readFileSync(path.join(root, String(kept[1]), 'a.json'), 'utf8')).toBe('[3]');
  });

  it('is recorded in the audit log', async () => {
    const project = makeProject({ modules: [...HOSTING, 'documentation', 'admin'] });
    await platform('backup', file('b.tgz'), '--root', project);
    rmSync(project, { recursive: true });
    const { err } = await platform('restore', file('b.tgz'), '--root', file('new'));
    expect(err).toBe('');
    const entry = { action: 'restore', outcome: 'success', administrator: 'ann', via: 'command' };
    const lines = (): readonly string[] =>
      readFileSync(file('new/data/audit.log'), 'utf8').trimEnd().split('\n');
    expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual([expect.objectContaining(entry)]);

    mkdirSync(file('new/.restore-ready'));
    renameSync(file('new/config'), file('new/.restore-ready/config'));
    expect(await platform('restore', '--root', file('new'))).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(String(lines()[1]))).toMatchObject(entry);
  });

  it('completes a restore that was interrupted between its two steps', async () => {
    await platform('backup', file('b'), '--root', root);
    const saved = contentOf(root);
    writeFileSync(path.join(root, 'data/a.json'), '[3]');
    await platform('restore', file('b'), '--root', file('new'));
    renameSync(file('new'), path.join(root, '.restore-ready'));
    renameSync(path.join(root, 'config'), path.join(root, 'config.before-restore-x'));
    renameSync(path.join(root, '.restore-ready/config'), path.join(root, 'config'));
    const { code, out, err } = await platform('restore', '--root', root);
    expect(out).toMatch(
      /^The interrupted restore is complete\.\nThe former content is in data\.before-restore-\S+\/\n$/,
    );
    expect([code, err]).toEqual([0, '']);
    expect(contentOf(root)).toEqual(saved);
    expect(existsSync(path.join(root, '.restore-ready'))).toBe(false);
    expect((await platform('restore', '--root', root)).err).toBe(
      'Specify a backup: no interrupted restore was found here.\n',
    );
  });

  it.each(['b', 'damaged', 'missing'])(
    'changes nothing for another source while a restore is interrupted: %s',
    async (name) => {
      await platform('backup', file('b'), '--root', root);
      await platform('backup', file('damaged'), '--root', root);
      rmSync(file('damaged/data/a.json'));
      mkdirSync(path.join(root, '.restore-ready/data'), { recursive: true });
      writeFileSync(path.join(root, '.restore-ready/data/a.json'), '[4]');
      const before = readdirSync(root, { recursive: true });
      const saved = contentOf(root);
      expect(await platform('restore', file(name), '--root', root, '--force')).toMatchObject({
        code: 1,
        out: '',
        err: `${file(name)} was not restored: another restore was interrupted in ${root}. Complete it first, with restore and no source.\n`,
      });
      expect(contentOf(root)).toEqual(saved);
      expect(readdirSync(root, { recursive: true })).toEqual(before);
    },
  );

  it.each<readonly [string, readonly string[], (file: string) => void]>([
    ['.restore-ready', [], (name) => writeFileSync(name, 'mine')],
    ['.restore-ready', ['b'], (name) => symlinkSync('missing', name)],
    ['.restore-incomplete', ['b'], (name) => writeFileSync(name, 'mine')],
  ])('does not take %s for a folder of its own if it is none (restore %j)', async (name, source, create) => {
    await platform('backup', file('b'), '--root', root);
    create(path.join(root, name));
    const before = readdirSync(root);
    const saved = contentOf(root);
    const command = ['restore', ...source.map(file), '--root', root, '--force'];
    expect(await platform(...command)).toMatchObject({
      code: 1,
      out: '',
      err: `${root}/${name} is not a folder: no restore created it. Move it away and retry.\n`,
    });
    expect([readdirSync(root), contentOf(root)]).toEqual([before, saved]);
  });

  it('keeps what is verified when an interrupted restore cannot be completed', async () => {
    await platform('backup', file('b'), '--root', root);
    const saved = contentOf(root);
    await platform('restore', file('b'), '--root', file('new'));
    rmSync(path.join(root, 'config'), { recursive: true });
    renameSync(file('new'), path.join(root, '.restore-ready'));
    renameSync(path.join(root, '.restore-ready/config'), path.join(root, 'config'));
    // Nothing can be renamed to a link to a volume that is missing.
    rmSync(path.join(root, 'data'), { recursive: true });
    symlinkSync('missing', path.join(root, 'data'));
    const { code, err } = await platform('restore', '--root', root);
    expect([code, err]).toEqual([
      1,
      `The folders cannot be replaced (ENOTDIR): a mounted volume cannot be renamed. The restore is not complete: ${root}/.restore-ready has the verified content that is not in place. Copy it into place and remove that folder, or run this command again.\n`,
    ]);
    rmSync(path.join(root, 'data'));
    expect((await platform('restore', '--root', root)).code).toBe(0);
    expect(contentOf(root)).toEqual(saved);
  });

  it('undoes what it has renamed when a folder cannot be replaced', async () => {
    await platform('backup', file('b'), '--root', root);
    rmSync(path.join(root, 'data'), { recursive: true });
    symlinkSync('missing', path.join(root, 'data'));
    const before = readdirSync(root);
    const { code, err } = await platform('restore', file('b'), '--root', root, '--force');
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing was changed.')]);
    expect(readdirSync(root)).toEqual(before);
  });

  it.each<readonly [string, (backup: string) => void, string]>([
    [
      'a changed byte',
      (backup) => writeFileSync(path.join(backup, 'data/a.json'), '[9]'),
      'The backup is damaged: data/a.json is not what the manifest describes. Nothing was changed; use another backup.',
    ],
    [
      'another size',
      (backup) => writeFileSync(path.join(backup, 'data/a.json'), '[1, 2]'),
      'Nothing was changed',
    ],
    ['a missing file', (backup) => rmSync(path.join(backup, 'data/a.json')), 'is missing'],
    [
      'a further file',
      (backup) => writeFileSync(path.join(backup, 'data/evil.json'), ''),
      'The backup is refused: "data/evil.json" is not in the manifest. Nothing was changed.',
    ],
    [
      'a link instead of a file',
      (backup) => {
        rmSync(path.join(backup, 'data/a.json'));
        symlinkSync('/etc/passwd', path.join(backup, 'data/a.json'));
      },
      'Nothing was changed',
    ],
    [
      'a path that leads out',
      editManifest(({ files }) => {
        files[0] = { path: 'data/../../evil', bytes: 0, sha256: 'a'.repeat(64), mode: 0o600 };
      }),
      'The manifest backup.json is invalid: it names the path "data/../../evil".',
    ],
    [
      'an unknown format',
      editManifest((manifest) => {
        manifest.format = 2;
      }),
      'The backup has format 2, made by version 0.1.0; this version reads format 1. Restore it with that version.',
    ],
    [
      'a later version of the platform',
      editManifest((manifest) => {
        manifest.version = '99.0.0';
      }),
      'The backup was made by version 99.0.0; this is version 0.1.0. Install that version or a later one.',
    ],
    ['no manifest', (backup) => rmSync(path.join(backup, 'backup.json')), 'backup.json'],
    [
      'a manifest that is not JSON',
      (backup) => writeFileSync(path.join(backup, 'backup.json'), '{'),
      'backup.json',
    ],
  ])('refuses a backup with %s, as a folder and as an archive', async (_, change, message) => {
    const asFolder = await platform('restore', await changed(change), '--root', file('new'));
    expect(asFolder.code).toBe(1);
    expect(asFolder.err).toContain(message);
    rmSync(file('b'), { recursive: true });
    const archive = await changedArchive((backup) => {
      change(backup);
      if (!existsSync(path.join(backup, 'backup.json'))) writeFileSync(path.join(backup, 'aa'), '');
    }).catch(() => undefined);
    if (archive !== undefined) {
      const asArchive = await platform('restore', archive, '--root', file('new'));
      expect(asArchive.code).toBe(1);
      expect(asArchive.err).toMatch(/damaged|refused|invalid|not a backup|later|format/);
    }
    expect(existsSync(file('new'))).toBe(false);
  });

  it('removes the folders that it created for a damaged backup, and no others', async () => {
    const backup = await changed((from) => rmSync(path.join(from, 'data/a.json')));
    mkdirSync(file('existing'));
    for (const name of ['existing', 'existing/below/new'])
      expect((await platform('restore', backup, '--root', file(name))).code).toBe(1);
    expect(readdirSync(file('existing'))).toEqual([]);
  });

  it('names what a file lacks that is not an archive', async () => {
    writeFileSync(file('b.json'), '{}');
    expect((await platform('restore', file('b.json'), '--root', file('new'))).err).toContain(
      'b.json is not a backup: it contains no backup.json.',
    );
  });

  it('refuses a truncated archive at any length, and other files', async () => {
    await platform('backup', file('b.tgz'), '--root', root);
    const bytes = readFileSync(file('b.tgz'));
    for (const length of [0, 1, 10, 100, bytes.length >> 1, bytes.length - 20]) {
      writeFileSync(file('cut.tgz'), bytes.subarray(0, length));
      const { code, err } = await platform('restore', file('cut.tgz'), '--root', file('new'));
      expect({ length, code, isExplained: /not a backup|damaged/.test(err) }).toEqual({
        length,
        code: 1,
        isExplained: true,
      });
    }
    writeFileSync(file('text.tgz'), 'hello');
    expect((await platform('restore', file('text.tgz'), '--root', file('new'))).code).toBe(1);
    expect((await platform('restore', file('none.tgz'), '--root', file('new'))).err).toContain(
      'does not exist. Specify an existing backup.',
    );
    expect(existsSync(file('new'))).toBe(false);
  });

  it('changes nothing when a folder cannot be renamed', async () => {
    await platform('backup', file('b.tgz'), '--root', root);
    mkdirSync(file('new/data'), { recursive: true });
    writeFileSync(file('new/config'), 'not a folder');
    const { code } = await platform('restore', file('b.tgz'), '--root', file('new'));
    expect(code).toBe(1);
    expect(readFileSync(file('new/config'), 'utf8')).toBe('not a folder');
  });
});

describe('The paths of a backup', () => {
  it('never lead out of config/ and data/', () => {
    const segment = fc.oneof(
      fc.constantFrom('config', 'data', '..', '.', '', 'a', '\\', 'C:', '\0', '%2e%2e'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const name = segments.join('/');
        if (!isBackupPath(name)) return;
        const resolved = path.resolve('/root', name);
        expect(resolved).toMatch(/^\/root\/(config|data)(\/|$)/);
        expect(path.relative('/root', resolved)).toBe(name);
      }),
    );
  });
});
