import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PasswordFile,
  PasswordFileError,
} from '../../../../src/modules/mvc-auth/password-files/password-file';

describe('a password file', () => {
  let folder: string;
  let opened: PasswordFile<string> | undefined;
  const tables: string[] = [];
  const failures: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-file-'));
    tables.length = 0;
    failures.length = 0;
  });
  afterEach(async () => {
    opened?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const open = async (path: string): Promise<PasswordFile<string>> =>
    (opened = await PasswordFile.open(
      path,
      (text) => {
        if (text === 'bad') throw new Error('bad text');
        return text;
      },
      { changed: (table) => tables.push(table), failed: (reason) => failures.push(reason) },
    ));
  const soon = async (condition: () => boolean): Promise<void> => {
    for (let waited = 0; !condition() && waited < 4000; waited += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(condition()).toBe(true);
  };

  it('reports whether it is missing or unreadable', async () => {
    await expect(open(join(folder, 'no'))).rejects.toMatchObject({ missing: true, path: join(folder, 'no') });
    await expect(open(folder)).rejects.toMatchObject({ missing: false });
    await expect(open(folder)).rejects.toThrow(PasswordFileError);
  });

  it('is read again after it was written, and only then', async () => {
    const path = join(folder, 'users');
    await writeFile(path, 'one');
    const file = await open(path);
    await writeFile(join(folder, 'neighbour'), 'x');
    await writeFile(path, 'two');
    await soon(() => file.current === 'two');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(tables).toEqual(['two']);
  });

  it('is read when a link to its folder is switched, as orchestrators do', async () => {
    for (const name of ['one', 'two']) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'users'), name);
    }
    await symlink('one', join(folder, 'current'));
    const file = await open(join(folder, 'current', 'users'));
    await symlink('two', join(folder, 'next'));
    await rename(join(folder, 'next'), join(folder, 'current'));
    await soon(() => file.current === 'two');
  });

  it('keeps its table when the new content is invalid, and reads the next one', async () => {
    const path = join(folder, 'users');
    await writeFile(path, 'one');
    const file = await open(path);
    await writeFile(path, 'bad');
    await soon(() => failures.length > 0);
    expect([file.current, failures]).toEqual(['one', ['bad text']]);
    await writeFile(path, 'three');
    await soon(() => file.current === 'three');
  });

  it('is read completely when it is written in pieces', async () => {
    const path = join(folder, 'users');
    await writeFile(path, 'one');
    const file = await open(path);
    for (let length = 1; length <= 20; length++) {
      await writeFile(path, 'x'.repeat(length));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await soon(() => file.current === 'x'.repeat(20));
    expect(tables.length).toBeLessThan(5);
  });

  it('keeps its table and reports when it is removed', async () => {
    const path = join(folder, 'users');
    await writeFile(path, 'one');
    const file = await open(path);
    await rm(path);
    await soon(() => failures.length > 0);
    expect(file.current).toBe('one');
    expect(failures).toEqual([`the file ${path} does not exist`]);
  });
});
