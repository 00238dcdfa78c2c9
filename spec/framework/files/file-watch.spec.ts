import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileMark, FileWatch } from '../../../src/framework';

it('does not look at a file each time another one in its folder is written, such as a log', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'file-watch-'));
  const [file, log] = [path.join(folder, 'users'), path.join(folder, 'access.log')];
  writeFileSync(file, 'one\n');
  writeFileSync(log, '');
  const mark = await fileMark(file);
  const check = jest.spyOn(FileWatch.prototype, 'check');
  let watch: FileWatch | undefined;
  try {
    const changed = new Promise<void>((resolve) => {
      watch = new FileWatch(file, mark, () => Promise.resolve().then(resolve));
    });
    // Watching the folder begins with the next turn of the event loop; its creation may still be reported.
    await delay(50);
    check.mockClear();
    const started = performance.now();
    for (let line = 0; line < 60; line++) {
      appendFileSync(log, `${line}\n`);
      await delay(2);
    }
    // It looks every second whatever happens.
    expect(check.mock.calls.length).toBeLessThanOrEqual(1 + (performance.now() - started) / 1_000);
    appendFileSync(file, 'two\n');
    await changed;
  } finally {
    watch?.close();
    check.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
