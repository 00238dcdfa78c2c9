import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { editText, LocalConfiguration } from '../../../src/framework';
import { makeProject, ROOT } from '../../factories/platform';
import { run, type ProcessResult } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';

/** How often a writer is killed; `KILLS=1000` is the long form. */
const KILLS = Number(process.env.KILLS ?? 20);
/** Runs a command with its own mount namespace; part of util-linux. */
const OWN_MOUNTS = 'unshare';
const WRITER = path.join(__dirname, 'local-writer.mjs');
const FRAMEWORK = path.join(ROOT, 'dist/framework/index.js');

interface Written {
  readonly number: number;
  readonly filler: string;
  readonly end: number;
}

let root: string;
let local: LocalConfiguration;
beforeEach(() => {
  root = makeProject({ local: { mine: 'kept' } });
  local = new LocalConfiguration(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const text = (): string => readFileSync(path.join(root, 'config/autoload/local.json'), 'utf8');
const valueOf = (key: string): Written => (JSON.parse(text()) as Record<string, Written>)[key]!;

/** Writes until it is killed, so many milliseconds after its output matched. Returns the last number that it printed. */
function writeUntilKilled(after: number, since: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WRITER, root, 'writer', '1000'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    let isDue = false;
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (isDue || !since.test(output)) return;
      isDue = true;
      void delay(after).then(() => child.kill('SIGKILL'));
    });
    child.on('error', reject);
    child.on('close', () => resolve(Number(output.trimEnd().split('\n').at(-1)?.replace('ready', '0'))));
  });
}

describe('A killed writer', () => {
  it(
    `leaves a complete file, old or new, and matching revisions, ${KILLS} times`,
    async () => {
      let last = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        // In every other round, at least one write completes before the kill, even on a slow machine.
        const reported = await writeUntilKilled(
          Math.random() * 40,
          kill % 2 === 0 ? /^ready\n/ : /^ready\n\d+\n/,
        );
        const written = kill === 0 && !text().includes('writer') ? undefined : valueOf('writer');
        const number = written?.number ?? 0;
        // The reported number is written; the next one may be.
        expect([Math.max(reported, last), Math.max(reported, last) + 1]).toContain(number);
        expect(written?.filler.length ?? 0).toBe((number % 7) * 1000);
        expect(written?.end ?? 0).toBe(number);
        expect(text()).toContain('"mine": "kept"');
        const revisions = await local.revisions();
        expect(revisions.length).toBe(Math.min(number, 50));
        if (number > 0) expect(revisions[0]).toMatchObject({ after: text(), summary: `Wrote ${number}.` });
        for (const [at, { before }] of revisions.slice(0, -1).entries())
          expect(before).toBe(revisions[at + 1]?.after);
        last = number;
      }
      expect(last).toBeGreaterThan(KILLS / 4);
      await local.locked(({ write }) => write('{}', { summary: 'After.', by: 'ada' }));
      const around = readdirSync(path.join(root, 'config/autoload'));
      expect(around.filter((name) => !/\.lock\.[0-9a-f-]{36}$/.test(name))).toEqual(['local.json']);
      expect(readdirSync(path.join(root, 'data/revisions')).every((name) => /^\d{6}\.json$/.test(name))).toBe(
        true,
      );
    },
    30_000 + KILLS * 1500,
  );
});

describe('Two concurrent writers', () => {
  it('lose no change of each other', async () => {
    const ends = await Promise.all(
      ['one', 'two'].map((key) => run(process.execPath, [WRITER, root, key, '20'])),
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect([valueOf('one').number, valueOf('two').number]).toEqual([20, 20]);
    const revisions = await local.revisions();
    expect(revisions).toHaveLength(40);
    for (const [at, { before }] of revisions.slice(0, -1).entries())
      expect(before).toBe(revisions[at + 1]?.after);
  }, 120_000);
});

describe('A system error', () => {
  const { it: withLimits } = withPrograms('prlimit');
  /** Mounts file systems in a private namespace. */
  const { it: withMounts } = withPrograms('unshare');
  const shell = (script: string, ...args: string[]): Promise<ProcessResult> =>
    run('sh', ['-ec', script, 'sh', ...args]);
  const node = `"${process.execPath}" "${WRITER}"`;
  const autoload = (): string => path.join(root, 'config/autoload');

  afterEach(async () => {
    // The next change succeeds once the cause is removed.
    chmodSync(autoload(), 0o755);
    const again = local.locked(({ text: before, write }) =>
      write(editText(before, [{ path: ['again'], value: true }]), { summary: 'Again.', by: 'ada' }),
    );
    await expect(again).resolves.toMatchObject({ by: 'ada' });
  });

  withLimits('of the file size limit leaves the old file, and no other files', async () => {
    const before = text();
    const { code, output } = await shell(`prlimit --fsize=8192 ${node} "$1" writer 5 20000`, root);
    expect(output).toContain('it exceeds the file size limit. Reduce it or raise the limit. (EFBIG)');
    expect(code).toBe(1);
    expect(text()).toBe(before);
    expect(readdirSync(autoload())).toEqual(['local.json']);
    expect(await local.revisions()).toEqual([]);
  });

  withMounts('of a full disk leaves the last complete file and its revisions', async () => {
    const { code, output } = await run(OWN_MOUNTS, [
      '-rm',
      'sh',
      '-ec',
      `mount -t tmpfs -o size=256k tmpfs "$1/data"
       mkdir "$1/data/project" && cp -r "$1/config" "$1/data/project/"
       ${node} "$1/data/project" writer 500 9000 || code=$?
       cp -r "$1/data/project" "$2"
       exit $code`,
      'sh',
      ...[(mkdirSync(path.join(root, 'data'), { recursive: true }), root), path.join(root, 'after')],
    ]);
    expect(output).toContain('the disk is full. Free some space and retry. (ENOSPC)');
    expect(code).toBe(1);
    const [, last] = /(\d+)\n[^\n]*ENOSPC/.exec(output) ?? [];
    const copied = new LocalConfiguration(path.join(root, 'after'));
    const value = JSON.parse((await copied.read()).text!) as { readonly writer: Written };
    expect(value.writer).toMatchObject({ number: Number(last), end: Number(last) });
    const [newest] = await copied.revisions();
    expect(newest?.after).toBe((await copied.read()).text);
    expect(readdirSync(path.join(root, 'after/config/autoload'))).toEqual(['local.json']);
  });

  it('of missing permissions leaves the file unchanged', async () => {
    const before = text();
    for (const folder of [root, path.join(root, 'config')]) chmodSync(folder, 0o755);
    chmodSync(autoload(), 0o555);
    const { code, output } = await shell(`${node} "$1" writer 1 0 65534`, root);
    expect(output).toContain(
      'the user of this process has no permission for it or its folder. Grant it. (EACCES)',
    );
    expect(code).toBe(1);
    expect(text()).toBe(before);
  });

  it('of a folder that cannot be synced leaves the file unchanged', async () => {
    const before = text();
    for (const folder of [root, path.join(root, 'config')]) chmodSync(folder, 0o755);
    // Files in it can be replaced, but it cannot be opened.
    chmodSync(autoload(), 0o333);
    const replace = `if (process.getuid() === 0) process.setuid(65534);
      const [, framework, file] = process.argv;
      require(framework).replaceFile(file, 'new').catch(({ code }) => console.log(code));`;
    const file = path.join(autoload(), 'local.json');
    const { output } = await run(process.execPath, ['-e', replace, FRAMEWORK, file]);
    expect([output, text()]).toEqual(['EACCES\n', before]);
  });

  withMounts('of a read-only file system leaves the file unchanged', async () => {
    const before = text();
    const { code, output } = await run(OWN_MOUNTS, [
      '-rm',
      'sh',
      '-ec',
      `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && ${node} "$1" writer 1`,
      'sh',
      autoload().replace(/\/config\/autoload$/, ''),
    ]);
    expect(output).toContain('the file system is read-only. Mount it writable. (EROFS)');
    expect(code).toBe(1);
    expect(text()).toBe(before);
  });
});
