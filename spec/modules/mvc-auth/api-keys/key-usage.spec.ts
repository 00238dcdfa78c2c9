import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KeyUsage, readLastUses, usageFileOf } from '../../../../src/modules/mvc-auth/api-keys/key-usage';

describe('the last uses of keys', () => {
  let folder: string;
  let keyFile: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'key-usage-'));
    keyFile = path.join(folder, 'api-keys.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (warnings: string[] = []): KeyUsage =>
    new KeyUsage({
      keyFile,
      known: () => new Set(['a_1', 'a_2']),
      warn: (message) => warnings.push(message),
    });

  it('are merged by processes, and belong to their owner alone', async () => {
    const [one, other] = [open(), open()];
    one.used('a_1', 2000);
    other.used('a_1', 1000);
    other.used('a_2', 3000);
    await Promise.all([one.close(), other.close()]);
    expect(await readLastUses(keyFile)).toEqual(
      new Map([
        ['a_1', 2000],
        ['a_2', 3000],
      ]),
    );
    expect(statSync(usageFileOf(keyFile)).mode & 0o777).toBe(0o600);
  });

  it('are written once for many requests, and not without any', async () => {
    const usage = open();
    await usage.flush();
    expect(() => statSync(usageFileOf(keyFile))).toThrow('ENOENT');
    for (let at = 0; at < 1000; at++) usage.used('a_1', at);
    await usage.flush();
    const { mtimeMs, ino } = statSync(usageFileOf(keyFile));
    await usage.close();
    expect(statSync(usageFileOf(keyFile))).toMatchObject({ mtimeMs, ino });
  });

  it('are dropped with their key, and written again after damage', async () => {
    writeFileSync(usageFileOf(keyFile), '{"a_1": "1970-01-01T00:00:01Z", "gone_1": "1970-01-01T00:00:01Z"}');
    const usage = open();
    usage.used('a_2', 5000);
    await usage.flush();
    expect(await readLastUses(keyFile)).toEqual(
      new Map([
        ['a_2', 5000],
        ['a_1', 1000],
      ]),
    );
    writeFileSync(usageFileOf(keyFile), 'oops');
    expect(await readLastUses(keyFile)).toEqual(new Map());
    usage.used('a_2', 6000);
    await usage.close();
    expect(await readLastUses(keyFile)).toEqual(new Map([['a_2', 6000]]));
  });

  it('are kept until they can be written, with one warning', async () => {
    rmSync(folder, { recursive: true });
    const warnings: string[] = [];
    const usage = open(warnings);
    usage.used('a_1', 1000);
    await usage.flush();
    await usage.flush();
    expect(warnings).toEqual([expect.stringContaining('the last uses of keys cannot be written to')]);
    mkdirSync(folder);
    await usage.close();
    expect(await readLastUses(keyFile)).toEqual(new Map([['a_1', 1000]]));
  });
});
