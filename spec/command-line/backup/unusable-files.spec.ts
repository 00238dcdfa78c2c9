import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeProject } from '../../factories/platform';
import { CLI, run } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';
import { HOSTING } from '../../factories/processes/start-refusal';
import { platform, runAsUser, USER } from './run-backup';

const { describe, it } = withPrograms('unshare');

const DENIED = 'the user of this process has no permission for it or its folder. Grant it.';

let root: string;
let folder: string;
const file = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'unusable-'));
  chmodSync(folder, 0o755);
  root = makeProject({ modules: HOSTING, files: { 'data/a.json': '[1]' } });
  await platform('backup', file('b'), '--root', root);
  await platform('backup', file('b.tgz'), '--root', root);
  mkdirSync(file('new'));
  chmodSync(file('b'), 0o755);
});
afterEach(() => {
  chmodSync(file('new'), 0o755);
  for (const one of [folder, root]) rmSync(one, { recursive: true, force: true });
});

describe('apidesc-platform backup', () => {
  it('that its user cannot lock names the lock as the reason, and the user of the service', async () => {
    chmodSync(root, 0o755);
    chmodSync(file('new'), 0o777);
    chmodSync(path.join(root, 'config/autoload'), 0o555);
    try {
      const { code, output } = await runAsUser('backup', file('new/b.tgz'), '--root', root);
      expect(code).toBe(1);
      expect(output).toContain(
        `${path.join(root, 'config/autoload/local.json')} cannot be written: the user of this process has no permission for it or its folder. Grant it, as a backup locks this file, or run the backup as the user of the service.\n`,
      );
      expect(readdirSync(file('new'))).toEqual([]);
    } finally {
      chmodSync(path.join(root, 'config/autoload'), 0o755);
    }
  });

  it.each([
    ['data/a.json', '000', 'data/a.json'],
    ['data/private', '000', 'data/private'],
    ['data/private', '400', 'data/private/b.txt'],
    ['data/private/b.txt', '000', 'data/private/b.txt'],
  ])(
    'that its user cannot read completely names what it cannot, and the user of the service (%s, mode %s)',
    async (name, mode, unread) => {
      mkdirSync(path.join(root, 'data/private'));
      writeFileSync(path.join(root, 'data/private/b.txt'), 'b');
      if (process.getuid?.() === 0)
        for (const one of ['', ...readdirSync(root, { recursive: true, encoding: 'utf8' })])
          chownSync(path.join(root, one), USER, USER);
      chmodSync(file('new'), 0o777);
      chmodSync(path.join(root, name), mode);
      try {
        expect(await runAsUser('backup', file('new/b.tgz'), '--root', root)).toEqual({
          code: 1,
          output: `${path.join(root, unread)} cannot be read: the user of this process has no permission for it or its folder. Grant it, or run the backup as the user of the service.\n`,
        });
        expect(readdirSync(file('new'))).toEqual([]);
      } finally {
        chmodSync(path.join(root, name), 0o700);
      }
    },
  );

  it('that exceeds the file size limit of its target names the target', async () => {
    writeFileSync(path.join(root, 'data/large'), Buffer.alloc(200_000));
    const script = 'ulimit -f 100; "$1" "$2" backup "$3" --root "$4"';
    const words = [process.execPath, CLI, file('new/b.tgz'), root];
    expect(await run('sh', ['-c', script, 'sh', ...words])).toEqual({
      code: 1,
      output: `${file('new/b.tgz')} cannot be written: it exceeds the file size limit. Reduce it or raise the limit, or specify a target on another disk.\n`,
    });
    expect(readdirSync(file('new'))).toEqual([]);
  });
});

describe('apidesc-platform restore', () => {
  it('names the project if its user must not write there', async () => {
    if (process.getuid?.() === 0) chownSync(file('b.tgz'), USER, USER);
    chmodSync(file('new'), 0o555);
    expect(await runAsUser('restore', file('b.tgz'), '--root', file('new'))).toEqual({
      code: 1,
      output: `${file('new')} cannot be written: ${DENIED}\n`,
    });
  });

  it.each([
    ['b.tgz', 'b.tgz'],
    ['b', 'b/backup.json'],
  ])('names a backup that its user cannot read, and does not call it damaged (%s)', async (source, named) => {
    chmodSync(file(named), 0o000);
    expect(await runAsUser('restore', file(source), '--root', file('new'))).toEqual({
      code: 1,
      output: `${file(named)} cannot be read: ${DENIED}\n`,
    });
  });

  it('names a file of a backup that its user cannot read', async () => {
    const contained = readdirSync(file('b'), { recursive: true, encoding: 'utf8' });
    if (process.getuid?.() === 0)
      for (const name of ['b', 'new', ...contained.map((one) => path.join('b', one))])
        chownSync(file(name), USER, USER);
    chmodSync(file('b/data/a.json'), 0o000);
    expect(await runAsUser('restore', file('b'), '--root', file('new'))).toEqual({
      code: 1,
      output: `${file('b/data/a.json')} cannot be read: ${DENIED}\n`,
    });
    expect(readdirSync(file('new'))).toEqual([]);
  });

  it.each(['b.tgz', 'b'])('reports a disk that becomes full during the restore (%s)', async (source) => {
    // A page for each file: more than the bytes in the manifest.
    const script =
      'mount -t tmpfs -o size=4k tmpfs "$1" && "$2" "$3" restore "$4" --root "$1"; code=$?; ls -A "$1"; exit $code';
    const words = [file('new'), process.execPath, CLI, file(source)];
    expect(await run('unshare', ['-rm', 'sh', '-c', script, 'sh', ...words])).toEqual({
      code: 1,
      output: `${file('new')} cannot be written: the disk is full. Free some space and retry.\n`,
    });
  });
});
