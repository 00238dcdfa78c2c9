import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changePasswordFile } from '../../../../../src/modules/mvc-auth/password-files/editing/change-password-file';
import { PasswordEditError } from '../../../../../src/modules/mvc-auth/password-files/editing/password-edit-error';
import { plantLock } from '../../../../factories/processes/planted-lock';

describe('changing a password file', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-change-'));
    path = join(folder, 'users');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const add =
    (line: string) =>
    (bytes: Buffer | undefined): Buffer =>
      Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.from(line)]);
  const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777;

  it('creates one that is readable by its owner only', async () => {
    await changePasswordFile(path, add('a\n'));
    expect(await readFile(path, 'utf8')).toBe('a\n');
    expect(await modeOf(path)).toBe(0o600);
    expect(await readdir(folder)).toEqual(['users']);
  });

  it('keeps the mode of an old one, and replaces the file atomically', async () => {
    await writeFile(path, 'a\n');
    await chmod(path, 0o640);
    const before = await stat(path);
    await changePasswordFile(path, add('b\n'));
    expect(await readFile(path, 'utf8')).toBe('a\nb\n');
    expect(await modeOf(path)).toBe(0o640);
    expect((await stat(path)).ino).not.toBe(before.ino);
  });

  it('keeps a symbolic link', async () => {
    await writeFile(path, 'a\n');
    await symlink(path, join(folder, 'link'));
    await changePasswordFile(join(folder, 'link'), add('b\n'));
    expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('a\nb\n');
  });

  it('leaves everything unchanged when the change is rejected', async () => {
    await writeFile(path, 'a\n');
    const refuse = (): Buffer => {
      throw new PasswordEditError('no');
    };
    await expect(changePasswordFile(path, refuse)).rejects.toThrow('no');
    expect(await readFile(path, 'utf8')).toBe('a\n');
    expect(await readdir(folder)).toEqual(['users']);
  });

  it('publishes nothing that cannot be written', async () => {
    await writeFile(path, 'a\n');
    // As on a full disk: the draft of the lock cannot be written.
    const spoil = (): Buffer => {
      const [token = ''] = readdirSync(`${path}.lock`);
      const draft = join(`${path}.lock`, token, 'draft');
      rmSync(draft);
      mkdirSync(draft);
      return Buffer.from('b\n');
    };
    const published: string[] = [];
    const publish = (_: Buffer | undefined, after: Buffer): Promise<void> =>
      Promise.resolve(void published.push(after.toString()));
    await expect(changePasswordFile(path, spoil, publish)).rejects.toThrow(PasswordEditError);
    expect(published).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe('a\n');
    await changePasswordFile(path, add('b\n'), publish);
    expect(published).toEqual(['a\nb\n']);
    expect(await readFile(path, 'utf8')).toBe('a\nb\n');
  });

  it('reports a missing folder', async () => {
    await expect(changePasswordFile(join(folder, 'no', 'users'), add(''))).rejects.toThrow(
      /The folder .*no does not exist;/,
    );
  });

  it('loses nothing in concurrent changes', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `${index}\n`);
    await Promise.all(lines.map((line) => changePasswordFile(path, add(line))));
    expect((await readFile(path, 'utf8')).split('\n').sort()).toEqual(
      ['', ...lines.map((line) => line.trim())].sort(),
    );
    expect(await readdir(folder)).toEqual(['users']);
  });

  it('reports that another process is changing it', async () => {
    plantLock(path, { pid: 7, host: 'web-2' });
    const refused = changePasswordFile(path, add('a\n')).catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(PasswordEditError);
    expect(String(await refused)).toContain(
      `another process is changing it. Retry (${path}.lock is held by process 7 on web-2)`,
    );
  }, 120_000);

  it('reports a folder at its path', async () => {
    await mkdir(path);
    await expect(changePasswordFile(path, add(''))).rejects.toThrow(
      `${path} is a folder. Give the path of a file.`,
    );
    expect(await readdir(folder)).toEqual(['users']);
  });
});
