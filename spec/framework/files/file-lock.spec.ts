import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileError, withLock } from '../../../src/framework';

describe('A lock between processes', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'file-lock-'));
    file = path.join(folder, 'users');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const one = (): Promise<number> => Promise.resolve(1);

  it('lets one task go after the other, and leaves nothing behind', async () => {
    let running = 0;
    let most = 0;
    const task = async (): Promise<void> => {
      most = Math.max(most, ++running);
      await delay(5);
      running--;
    };
    await Promise.all(Array.from({ length: 6 }, () => withLock(file, task)));
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is free again after a task that failed', async () => {
    const fail = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(withLock(file, fail)).rejects.toThrow('no');
    expect(await withLock(file, one)).toBe(1);
  });

  it('of a process that is no more is broken, once for all who wait', async () => {
    await writeFile(`${file}.lock`, `${2 ** 22 + 1} ${hostname()} left-behind\n`);
    let running = 0;
    const alone = async (): Promise<boolean> => {
      const isAlone = ++running === 1;
      await delay(5);
      running--;
      return isAlone;
    };
    const found = await Promise.all([1, 2, 3].map(() => withLock(file, alone)));
    expect(found).toEqual([true, true, true]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('of another machine is broken when it is old, not when it is young', async () => {
    await writeFile(`${file}.lock`, '1 another-machine x\n');
    const refused = withLock(file, one, 60).catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(FileError);
    expect(await refused).toMatchObject({
      code: 'ELOCKED',
      message: `${file} cannot be written: another process is changing it. Try again, or delete ${file}.lock if there is none.`,
    });
    const old = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, old, old);
    expect(await withLock(file, one, 60)).toBe(1);
  });

  it('of a process that lives is never broken, however old it is', async () => {
    await writeFile(`${file}.lock`, `${process.pid} ${hostname()} x\n`);
    const old = new Date(Date.now() - 600_000);
    await utimes(`${file}.lock`, old, old);
    await expect(withLock(file, one, 60)).rejects.toThrow(FileError);
  });

  it('of a forerunner with the same number is broken: in a container the first process is always 1', async () => {
    await writeFile(`${file}.lock`, `${process.pid} ${hostname()} 1000 x\n`);
    expect(await withLock(file, one, 60)).toBe(1);
  });

  it('says why it cannot be taken', async () => {
    await writeFile(file, '');
    await expect(withLock(path.join(file, 'below'), one)).rejects.toThrow(
      /below cannot be written: there is a file where a folder should be\. Move it away\.$/,
    );
  });
});
