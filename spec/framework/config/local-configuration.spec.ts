import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  ConfigurationChanged,
  editText,
  FileError,
  LocalConfiguration,
  ConfigurationError,
  type ConfigValue,
  type Revision,
} from '../../../src/framework';
import { makeProject } from '../../factories/platform';

let root: string;
let local: LocalConfiguration;
beforeEach(() => {
  root = makeProject({ local: { a: 1 } });
  local = new LocalConfiguration(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (): string => path.join(root, 'config/autoload/local.json');
const revisionFiles = (): readonly string[] => readdirSync(path.join(root, 'data/revisions')).sort();
const set = (key: string, value: ConfigValue, expect?: string): Promise<Revision> =>
  local.locked(
    ({ text, write }) =>
      write(editText(text, [{ path: [key], value }]), { summary: `Set ${key}.`, by: 'ada' }),
    expect,
  );

describe('Writing local.json', () => {
  it('writes the file, and a revision with author, time, summary, and both texts', async () => {
    const before = readFileSync(file(), 'utf8');
    const revision = await set('b', 2);
    const after = '{\n  "a": 1,\n  "b": 2\n}';
    expect(readFileSync(file(), 'utf8')).toBe(after);
    expect(revision).toMatchObject({ number: 1, by: 'ada', summary: 'Set b.', before, after });
    expect(Math.abs(Date.now() - Date.parse(revision.at))).toBeLessThan(60_000);
    expect(await local.revisions()).toEqual([revision]);
    expect(await local.revision(1)).toEqual(revision);
    expect(await local.revision(2)).toBeUndefined();
    expect(revisionFiles()).toEqual(['000001.json']);
  });

  it('keeps the mode of the file; new files and revisions are readable by the owner only', async () => {
    chmodSync(file(), 0o640);
    await set('b', 2);
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(statSync(path.join(root, 'data/revisions/000001.json')).mode & 0o777).toBe(0o600);
    rmSync(file());
    await set('b', 2);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('keeps a symbolic link', async () => {
    mkdirSync(path.join(root, 'elsewhere'));
    writeFileSync(path.join(root, 'elsewhere/local.json'), '{}');
    rmSync(file());
    symlinkSync('../../elsewhere/local.json', file());
    await set('b', 2);
    expect(readFileSync(path.join(root, 'elsewhere/local.json'), 'utf8')).toContain('"b": 2');
    expect(readdirSync(path.join(root, 'config/autoload'))).toEqual(['local.json']);
  });

  it('creates a missing file and folder', async () => {
    rmSync(path.join(root, 'config/autoload'), { recursive: true });
    expect(await local.read()).toEqual({ text: undefined, tag: 'none' });
    const revision = await set('b', 2);
    expect(revision.before).toBeNull();
    expect((await local.read()).text).toBe('{\n  "b": 2\n}\n');
  });

  it('can remove the file', async () => {
    const revision = await local.locked(({ write }) => write(undefined, { summary: 'Removed.', by: 'ada' }));
    expect(revision.after).toBeNull();
    expect((await local.read()).text).toBeUndefined();
    expect(await local.revisions()).toHaveLength(1);
  });

  it('writes nothing if nothing has changed', async () => {
    const writeSame = (): Promise<Revision> =>
      local.locked(({ text, write }) => write(text, { summary: 'Nothing.', by: 'ada' }));
    expect(await writeSame()).toMatchObject({ number: 0 });
    const revision = await set('b', 2);
    expect(await writeSame()).toEqual(revision);
    expect(await local.revisions()).toHaveLength(1);
  });

  it('fails if the file has changed since it was read', async () => {
    const { tag } = await local.read();
    await set('b', 2, tag);
    await expect(set('b', 3, tag)).rejects.toThrow(ConfigurationChanged);
    writeFileSync(file(), '{}');
    await expect(set('b', 3, (await local.read()).tag)).resolves.toMatchObject({ by: 'ada' });
  });

  it('fails if the file is edited manually while the lock is held', async () => {
    const change = local.locked(({ write }) => {
      writeFileSync(file(), '{"by": "hand"}');
      return write('{"b": 2}', { summary: 'Set.', by: 'ada' });
    });
    await expect(change).rejects.toThrow(ConfigurationChanged);
    expect(readFileSync(file(), 'utf8')).toBe('{"by": "hand"}');
  });

  it('writes nothing if the task fails first', async () => {
    const before = readFileSync(file(), 'utf8');
    const seen: unknown[] = [];
    const change = local.locked(({ text }) => {
      seen.push(text);
      return Promise.reject(new ConfigurationError('no'));
    });
    await expect(change).rejects.toThrow(new ConfigurationError('no'));
    expect(seen).toEqual([before]);
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect(readdirSync(path.join(root, 'config/autoload'))).toEqual(['local.json']);
    expect(await local.revisions()).toEqual([]);
  });

  it('loses none of many concurrent changes', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => set(`key${at}`, at)));
    const value = JSON.parse(readFileSync(file(), 'utf8')) as object;
    expect(Object.keys(value)).toHaveLength(13);
    const revisions = await local.revisions();
    expect(revisions.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    for (const [at, { before }] of revisions.slice(0, -1).entries())
      expect(before).toBe(revisions[at + 1]?.after);
  });

  it('does not damage a file that is not in UTF-8', async () => {
    const bytes = Buffer.from('{"a": "k\xe4se"}', 'latin1');
    writeFileSync(file(), bytes);
    await expect(set('b', 2)).rejects.toThrow('config/autoload/local.json is not in UTF-8');
    expect(readFileSync(file())).toEqual(bytes);
  });
});

describe('Revisions', () => {
  it('are limited to the last 50', async () => {
    for (let at = 0; at < 53; at++) await set('n', at);
    const revisions = await local.revisions();
    expect(revisions).toHaveLength(50);
    expect(revisions[0]).toMatchObject({ number: 53 });
    expect(revisions.at(-1)).toMatchObject({ number: 4 });
    expect(revisionFiles()).toHaveLength(50);
  });

  it('include manual changes, before the next change', async () => {
    await set('b', 2);
    writeFileSync(file(), '{"by": "hand"}');
    await set('c', 3);
    const [third, second, first] = await local.revisions();
    expect(second).toMatchObject({ number: 2, by: 'unknown', summary: 'Changed outside the admin.' });
    expect(second?.before).toBe(first?.after);
    expect(second?.after).toBe('{"by": "hand"}');
    expect(third).toMatchObject({ number: 3, before: '{"by": "hand"}' });
  });

  it('that are pending without a written file are not listed, and removed by the next change', async () => {
    await set('b', 2);
    const [first] = await local.revisions();
    const never = { ...first, number: 2, summary: 'Never.', after: '{"never": true}' };
    writeFileSync(path.join(root, 'data/revisions/000002.pending'), JSON.stringify(never));
    expect(await local.revisions()).toEqual([first]);
    await set('c', 3);
    expect((await local.revisions()).map(({ summary }) => summary)).toEqual(['Set c.', 'Set b.']);
    expect(revisionFiles()).toEqual(['000001.json', '000002.json']);
  });

  it('that are pending with a written file are listed, and finalized by the next change', async () => {
    await set('b', 2);
    const after = '{"was": "written"}';
    const [first] = await local.revisions();
    const written = { ...first!, number: 2, summary: 'Written.', before: first!.after, after };
    writeFileSync(path.join(root, 'data/revisions/000002.pending'), JSON.stringify(written));
    writeFileSync(file(), after);
    expect(await local.revisions()).toEqual([written, first]);
    await set('c', 3);
    expect((await local.revisions()).map(({ number }) => number)).toEqual([3, 2, 1]);
    expect(revisionFiles()).toEqual(['000001.json', '000002.json', '000003.json']);
  });

  it('are listed without reading files again that have not changed', async () => {
    await set('b', 2);
    const name = path.join(root, 'data/revisions/000001.json');
    const time = new Date('2026-01-01T00:00:00Z');
    utimesSync(name, time, time);
    const { revisions } = await local.history();
    writeFileSync(name, readFileSync(name, 'utf8').replace('Set b.', 'Set x.'));
    utimesSync(name, time, time);
    expect((await local.history()).revisions).toEqual(revisions);
    utimesSync(name, time, new Date());
    expect((await local.history()).revisions).toMatchObject([{ summary: 'Set x.' }]);
  });

  it('ignore malformed and other files', async () => {
    await set('b', 2);
    writeFileSync(path.join(root, 'data/revisions/000002.json'), '{"number": 2');
    writeFileSync(path.join(root, 'data/revisions/000003.json'), '{"number": 3}');
    writeFileSync(path.join(root, 'data/revisions/README'), 'mine');
    expect((await local.revisions()).map(({ number }) => number)).toEqual([1]);
  });

  it('that cannot be read are named, with what to do', async () => {
    await set('b', 2);
    mkdirSync(path.join(root, 'data/revisions/000002.json'));
    await expect(local.revisions()).rejects.toThrow(
      /000002\.json cannot be read: it is a folder\. Move it away\.$/,
    );
  });
});

describe('A change fails with an explanation, and changes nothing, because of', () => {
  const refusal = async (): Promise<FileError> => {
    const error: unknown = await set('b', 2).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileError);
    return error as FileError;
  };

  it('a folder with the name of the file', async () => {
    rmSync(file());
    mkdirSync(file());
    const { message, code } = await refusal();
    expect(message).toBe(`${file()} cannot be written: it is a folder. Move it away.`);
    expect(code).toBe('EISDIR');
  });

  it('a file with the name of the folder', async () => {
    rmSync(path.join(root, 'config/autoload'), { recursive: true });
    writeFileSync(path.join(root, 'config/autoload'), '');
    expect((await refusal()).message).toBe(
      `${file()} cannot be written: a file has the name of one of its folders. Move that file away.`,
    );
  });

  it('a file with the name of the folder of revisions', async () => {
    const before = readFileSync(file(), 'utf8');
    mkdirSync(path.join(root, 'data'), { recursive: true });
    writeFileSync(path.join(root, 'data/revisions'), '');
    expect((await refusal()).message).toMatch(
      /data\/revisions.* cannot be read: a file has the name of one of its folders\. Move that file away\.$/,
    );
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect(readdirSync(path.join(root, 'config/autoload'))).toEqual(['local.json']);
  });
});
