import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withPrograms } from '../factories/processes/programs';
import { ServerProcesses } from '../factories/processes/server-process';

const servers = new ServerProcesses();
const folder = mkdtempSync(path.join(tmpdir(), 'systemd-'));
const log = path.join(folder, 'notifications');
afterEach(() => servers.clear());
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * A program in place of systemd-notify that records its arguments.
 * @param before what it does first
 */
function install(exitCode: number, before = ''): Record<string, string> {
  const program = path.join(folder, 'systemd-notify');
  writeFileSync(log, '');
  writeFileSync(program, `#!/bin/sh\n${before}\necho "$@" >> ${log}\nexit ${exitCode}\n`);
  chmodSync(program, 0o755);
  return { PATH: `${folder}:/bin:/usr/bin`, NOTIFY_SOCKET: '/run/systemd/notify' };
}

async function recorded(lines: number): Promise<readonly string[]> {
  for (;;) {
    const found = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    if (found.length >= lines) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('A service that systemd started with Type=notify', () => {
  it('reports that it is ready, reloads and stops', async () => {
    const { child, origin, printed, ended } = servers.start(['--root', servers.project({})], install(0));
    await origin();
    const pid = `--pid=${child.pid ?? 0}`;
    expect(await recorded(1)).toEqual([`--ready ${pid}`]);
    child.kill('SIGHUP');
    await printed(/^Configuration reloaded\.$/m);
    expect(await recorded(3)).toEqual([`--ready ${pid}`, `--reloading ${pid}`, `--ready ${pid}`]);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect((await recorded(4)).at(-1)).toBe(`--stopping ${pid}`);
  });

  it('reports the states in their order, also if systemd is slow to receive one', async () => {
    const slow = 'if [ "$1" = --reloading ]; then sleep 1; fi';
    const { child, origin, printed } = servers.start(['--root', servers.project({})], install(0, slow));
    await origin();
    child.kill('SIGHUP');
    await printed(/^Configuration reloaded\.$/m);
    expect((await recorded(3)).map((line) => line.split(' ')[0])).toEqual([
      '--ready',
      '--reloading',
      '--ready',
    ]);
  });

  it('runs, with a warning, if systemd cannot be notified', async () => {
    const server = servers.start(['--root', servers.project({})], install(1));
    const api = await server.origin();
    expect(await server.printedError(/^Warning: systemd .*/m)).toContain('(ready)');
    expect((await fetch(`${api}/v1/atlas/countries/DE`)).status).toBe(200);
  });
});

const { describe: describeContainer } = withPrograms('unshare');

describeContainer('The first process of a container', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends at a %s during its start, which has no default action there', async (signal, code) => {
    const text = `export default { name: 'slow', onBootstrap: () => new Promise((resolve) => {
      console.log('Starting.');
      setTimeout(resolve, 5_000);
    }) };`;
    const root = servers.project({ modules: ['./slow.mjs'], files: { 'slow.mjs': text } });
    const server = servers.startCommand('unshare', (node, main) => [
      '-rpf',
      '--kill-child',
      node,
      main,
      '--root',
      root,
    ]);
    await server.printed(/^Starting\.$/m);
    const { pid = 0 } = server.child;
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), signal);
    const { code: actual, output } = await server.ended;
    expect([actual, output]).toEqual([code, 'Starting.\n']);
  });
});
