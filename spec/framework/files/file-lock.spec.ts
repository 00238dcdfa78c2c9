import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { FileError, withLock } from '../../../src/framework';
import { currentOwner } from '../../../src/framework/files/lock-owner';
import { plantLock } from '../../factories/processes/planted-lock';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'file-lock-'));
  file = path.join(folder, 'users');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const one = (): Promise<number> => Promise.resolve(1);
const write = (text: string) => withLock(file, (lock) => lock.replace(text), 60);

/** The owner file of a lock, whose mtime is the heartbeat. */
const ownerFile = (): string => path.join(`${file}.lock`, readdirSync(`${file}.lock`)[0]!, 'owner');

describe('A lock between processes', () => {
  it('runs tasks sequentially, in order, and leaves no files', async () => {
    const seen: number[] = [];
    let running = 0;
    const tasks = [0, 1, 2, 3, 4, 5].map((number) =>
      withLock(file, async () => {
        expect(++running).toBe(1);
        await delay(5);
        seen.push(number);
        running--;
      }),
    );
    await Promise.all(tasks);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is released after a task that failed', async () => {
    const fail = (): Promise<void> => Promise.reject(new Error('no'));
    await expect(withLock(file, fail)).rejects.toThrow('no');
    expect(await withLock(file, one)).toBe(1);
  });

  it('is broken if its process has no recent heartbeat, and only then', async () => {
    plantLock(file, { pid: 7, host: 'web-2' });
    const refused = withLock(file, one, 60).catch((error: unknown) => error);
    expect(await refused).toBeInstanceOf(FileError);
    expect(await refused).toMatchObject({
      code: 'ELOCKED',
      message: `${file} cannot be written: another process is changing it. Retry (${file}.lock is held by process 7 on web-2).`,
    });
    expect(await readdir(folder)).toEqual(['users.lock']);
    for (const age of [11, -3600]) {
      plantLock(file, { age });
      expect(await withLock(file, one, 60)).toBe(1);
    }
  });

  it('of a process that has ended is broken immediately, for all waiting tasks', async () => {
    const self = await currentOwner();
    plantLock(file, { ...self, pid: 2 ** 22 + 1 });
    await Promise.all(['a', 'b', 'c'].map((text) => write(text)));
    expect(readFileSync(file, 'utf8')).toBe('c');
    expect(await readdir(folder)).toEqual(['users']);
  });

  it('of a process whose PID was reused is broken: in a container, the first PID is always 1', async () => {
    plantLock(file, { ...(await currentOwner()), start: '1' });
    expect(await withLock(file, one, 60)).toBe(1);
  });

  it.each([
    [
      'that is being released',
      () => mkdir(path.join(`${file}.lock`, '11111111-1111-4111-8111-111111111111'), { recursive: true }),
    ],
    ['that was released', () => mkdir(`${file}.lock`)],
    [
      'of an earlier version that is old',
      async () => {
        await writeFile(`${file}.lock`, '1 host 1 x\n');
        await utimes(`${file}.lock`, 1, 1);
      },
    ],
  ])('%s is free', async (_, plant) => {
    await plant();
    await write('new');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['users']);
  });

  it('of an earlier version that is in use is respected', async () => {
    await writeFile(`${file}.lock`, '1 host 1 x\n');
    await expect(withLock(file, one, 60)).rejects.toMatchObject({ code: 'ELOCKED' });
  });

  it('of an earlier version that cannot be removed is retried with pauses, and reported', async () => {
    await writeFile(`${file}.lock`, '1 host 1 x\n');
    utimesSync(`${file}.lock`, 1, 1);
    const system = jest.requireActual<typeof FileSystem>('node:fs/promises');
    const removed = jest.spyOn(system, 'unlink').mockRejectedValue(new Error('no'));
    await expect(withLock(file, one, 60)).rejects.toMatchObject({
      code: 'ELOCKED',
      message: `${file} cannot be written: the lock ${file}.lock cannot be removed. Remove it.`,
    });
    // The pauses take at least 5 ms; without them, it was tried hundreds of times.
    expect(removed.mock.calls.length).toBeLessThan(20);
    removed.mockRestore();
  });

  it.each([
    ['a link to an empty folder', 'link', []],
    ['a link to a folder with files', 'link', ['a', 'b']],
    ['a link to a folder that contains a lock', 'link', ['11111111-1111-4111-8111-111111111111']],
    ['a folder with other files', 'folder', ['a', 'b']],
  ])('is not acquired, and nothing removed, if its place is taken by %s', async (_, kind, names) => {
    const target = kind === 'link' ? path.join(folder, 'target') : `${file}.lock`;
    await mkdir(target);
    for (const name of names) await mkdir(path.join(target, name));
    if (kind === 'link') await symlink(target, `${file}.lock`);
    await expect(withLock(file, one, 60)).rejects.toMatchObject({
      code: 'ELOCKED',
      message: `${file} cannot be written: ${file}.lock is not a lock. Move it away.`,
    });
    expect((await readdir(target)).sort()).toEqual(names);
  });

  it('has a heartbeat while the task runs', async () => {
    await withLock(file, async () => {
      const acquired = statSync(ownerFile()).mtimeMs;
      utimesSync(ownerFile(), 1, 1);
      for (let tries = 0; tries < 300 && statSync(ownerFile()).mtimeMs < 2000; tries++) await delay(50);
      expect(statSync(ownerFile()).mtimeMs).toBeGreaterThan(acquired);
    });
  });

  it('can be broken by all who may replace the file, except in sticky folders', async () => {
    for (const [mode, expected] of [
      [0o2775, 0o775],
      [0o1777, 0o700],
    ] as const) {
      await chmod(folder, mode);
      await withLock(file, async () => {
        expect((await stat(`${file}.lock`)).mode & 0o777).toBe(expected);
        expect((await stat(path.dirname(ownerFile()))).mode & 0o777).toBe(expected);
        expect((await stat(path.join(path.dirname(ownerFile()), 'draft'))).mode & 0o777).toBe(0o600);
      });
    }
  });

  it('follows no link that another user puts in place of the draft', async () => {
    const target = path.join(folder, 'target');
    writeFileSync(target, 'untouched');
    await chmod(target, 0o644);
    await withLock(file, async (lock) => {
      const draft = path.join(path.dirname(ownerFile()), 'draft');
      await rm(draft);
      await symlink(target, draft);
      await expect(lock.replace('new')).rejects.toMatchObject({
        code: 'ELOST',
        message: expect.stringContaining('another took over. Retry') as unknown,
      });
    });
    expect([readFileSync(target, 'utf8'), statSync(target).mode & 0o777]).toEqual(['untouched', 0o644]);
    expect((await readdir(folder)).sort()).toEqual(['target']);
  });

  it('gives nobody a folder that another user has linked in place of its own', async () => {
    const target = path.join(folder, 'target');
    await mkdir(target, { mode: 0o700 });
    await chmod(folder, 0o777);
    const system = jest.requireActual<typeof FileSystem>('node:fs/promises');
    const made = jest.spyOn(system, 'mkdir').mockImplementationOnce(async (created, options) => {
      await mkdir(created, options);
      await rmdir(created);
      await symlink(target, created);
      return undefined;
    });
    await expect(withLock(file, one, 60)).rejects.toBeInstanceOf(FileError);
    expect(made).toHaveBeenCalled();
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(await readdir(folder)).toEqual(['target']);
  });

  it('is acquired after the files of killed processes are removed', async () => {
    const token = '11111111-1111-4111-8111-111111111111';
    const leftover = `${file}.lock.${token}`;
    await mkdir(path.join(leftover, token), { recursive: true });
    const self = await currentOwner();
    writeFileSync(path.join(leftover, token, 'owner'), JSON.stringify({ ...self, pid: 2 ** 22 + 1 }));
    // The claim of a waiting process.
    const other = '22222222-2222-4222-8222-222222222222';
    await mkdir(path.join(`${file}.lock.${other}`, other), { recursive: true });
    writeFileSync(`${file}.${token}.tmp`, 'half');
    writeFileSync(`${file}.other`, 'mine');
    await write('new');
    expect((await readdir(folder)).sort()).toEqual(['users', `users.lock.${other}`, 'users.other']);
  });

  it('reports why it cannot be acquired', async () => {
    await writeFile(file, '');
    await expect(withLock(path.join(file, 'below'), one)).rejects.toThrow(
      /below cannot be written: a file has the name of one of its folders\. Move that file away\.$/,
    );
  });
});

describe('The lock of another process', () => {
  let holder: ChildProcessWithoutNullStreams;
  let answers: Interface;
  const answer = async (): Promise<string> => String(((await once(answers, 'line')) as unknown[])[0]);
  const ask = (line: string): Promise<string> => {
    holder.stdin.write(`${line}\n`);
    return answer();
  };
  beforeEach(async () => {
    writeFileSync(file, 'old');
    holder = spawn(process.execPath, [path.join(__dirname, 'lock-holder.mjs'), file]);
    answers = createInterface({ input: holder.stdout });
    expect(await answer()).toBe('held');
  });
  afterEach(() => holder.kill('SIGKILL'));

  it('excludes others until it is released', async () => {
    await expect(write('mine')).rejects.toMatchObject({ code: 'ELOCKED' });
    expect(await ask('write theirs')).toBe('done');
    await expect(write('mine')).rejects.toMatchObject({ code: 'ELOCKED' });
    const ended = once(holder, 'exit');
    holder.stdin.write('release\n');
    await ended;
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    await write('mine');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await readdir(folder)).toEqual(['users']);
  });

  it('is broken immediately when the process is killed', async () => {
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    await write('mine');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await readdir(folder)).toEqual(['users']);
  });

  it.each(['write theirs', 'remove'])(
    'is lost when the process is suspended for long: its later action (%s) changes nothing',
    async (late) => {
      holder.kill('SIGSTOP');
      const longAgo = Date.now() / 1000 - 11;
      utimesSync(ownerFile(), longAgo, longAgo);
      await write('mine');
      const answered = ask(late);
      // The new holder of the lock is not disturbed.
      await withLock(file, async (lock) => {
        holder.kill('SIGCONT');
        expect(await answered).toBe('ELOST');
        await lock.assertHeld();
        expect(readFileSync(file, 'utf8')).toBe('mine');
        await lock.replace('again');
      });
      expect(readFileSync(file, 'utf8')).toBe('again');
      expect(await readdir(folder)).toEqual(['users']);
    },
  );

  it('allows its holder to remove the file', async () => {
    expect(await ask('remove')).toBe('done');
    expect(await readdir(folder)).toEqual(['users.lock']);
    expect(await ask('remove')).toBe('done');
  });
});
