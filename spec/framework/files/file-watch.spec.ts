import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileMark, FileWatch } from '../../../src/framework';

const WRITES = 60;

describe('a watched file', () => {
  let folder: string;
  let watch: FileWatch | undefined;
  let check: jest.SpyInstance;
  const inFolder = (name: string): string => path.join(folder, name);

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'file-watch-'));
    for (const name of ['users', 'access.log']) writeFileSync(inFolder(name), 'one\n');
    check = jest.spyOn(FileWatch.prototype, 'check');
  });
  afterEach(() => {
    watch?.close();
    check.mockRestore();
    rmSync(folder, { recursive: true });
  });

  /** Returns how often it was looked at because of writes to a file, and how often at most because of the time. */
  async function looksAt(watched: string, written: string): Promise<{ looks: number; polls: number }> {
    const mark = await fileMark(inFolder(watched));
    watch = new FileWatch(inFolder(watched), mark, () => Promise.resolve());
    // The system may still report how the files were created.
    await delay(50);
    check.mockClear();
    const started = performance.now();
    for (let line = 0; line < WRITES; line++) {
      appendFileSync(inFolder(written), `${line}\n`);
      await delay(2);
    }
    return { looks: check.mock.calls.length, polls: 1 + (performance.now() - started) / 1_000 };
  }

  it('is not looked at each time another file of its folder is written, such as a log', async () => {
    const { looks, polls } = await looksAt('users', 'access.log');
    expect(looks).toBeLessThanOrEqual(polls);
  });

  it('is read again when the link to its folder is replaced, as Kubernetes does', async () => {
    const mount = (version: string): void => {
      mkdirSync(inFolder(version));
      writeFileSync(inFolder(`${version}/users`), `${version}\n`);
      symlinkSync(version, inFolder('..data_tmp'));
      renameSync(inFolder('..data_tmp'), inFolder('..data'));
    };
    mount('..2026_11_28');
    symlinkSync('..data/users', inFolder('mounted'));
    const mark = await fileMark(inFolder('mounted'));
    const read = new Promise<string>((resolve) => {
      watch = new FileWatch(inFolder('mounted'), mark, () => {
        resolve(readFileSync(inFolder('mounted'), 'utf8'));
        return Promise.resolve();
      });
    });
    mount('..2026_11_29');
    rmSync(inFolder('..2026_11_28'), { recursive: true });
    expect(await read).toBe('..2026_11_29\n');
  });

  it('is looked at when it is written, also through the file of the same folder that it links to', async () => {
    symlinkSync('users', inFolder('link'));
    for (const watched of ['users', 'link']) {
      const { looks } = await looksAt(watched, 'users');
      expect(looks).toBeGreaterThan(WRITES / 4);
      watch?.close();
    }
  });
});
