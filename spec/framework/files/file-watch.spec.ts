import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

  it('is looked at when it is written, also through the file of the same folder that it links to', async () => {
    symlinkSync('users', inFolder('link'));
    for (const watched of ['users', 'link']) {
      const { looks } = await looksAt(watched, 'users');
      expect(looks).toBeGreaterThan(WRITES / 4);
      watch?.close();
    }
  });
});
