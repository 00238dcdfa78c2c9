import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigObject } from '../../src/framework';
import { Load } from '../factories/http/load';
import { withPrograms } from '../factories/processes/programs';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { HOSTING } from '../factories/processes/start-refusal';

const MODULES = [...HOSTING, 'operations'];
const LOG: ConfigObject = {
  'platform-operations': { access_log: { enabled: true, file: 'log/access.log' } },
};

interface Line {
  readonly path: string;
}

describe('log files', () => {
  const servers = new ServerProcesses();
  let root: string;
  let server: ServerProcess;
  afterEach(() => servers.clear());

  const start = (local: ConfigObject = LOG): void => {
    root = servers.project({ modules: MODULES, local });
    server = servers.start(['--root', root]);
  };
  const file = (name: string): string => path.join(root, 'log', name);
  /** Throws for half a line. */
  const pathsOf = (text: string): readonly string[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as Line).path);
  const waitFor = async (isTrue: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 3_000 && !isTrue(); tries++) await pause(10);
    expect(isTrue()).toBe(true);
  };
  const contains = (name: string, text: string) => () =>
    existsSync(file(name)) && readFileSync(file(name), 'utf8').includes(text);

  it('are reopened on SIGUSR2 under load: no line is lost, doubled or split', async () => {
    start();
    const origin = await server.origin();
    let sent = 0;
    const requests = [
      {
        get url() {
          return `${origin}/r${sent++}`;
        },
      },
    ];
    const load = new Load(requests, 20);
    const rotated: string[] = [];
    for (let round = 0; round < 20; round++) {
      await waitFor(contains('access.log', '"/r'));
      const name = `access.log.${round}`;
      renameSync(file('access.log'), file(name));
      rotated.push(name);
      server.child.kill('SIGUSR2');
      await waitFor(() => existsSync(file('access.log')));
    }
    const answers = await load.stop();
    expect([...answers.keys()]).toEqual(['404']);
    const total = [...answers.values()].reduce((sum, one) => sum + one, 0);
    const lines = (): readonly string[] =>
      [...rotated, 'access.log'].flatMap((name) => pathsOf(readFileSync(file(name), 'utf8')));
    await waitFor(() => lines().length >= total);
    expect(lines()).toHaveLength(total);
    expect(new Set(lines()).size).toBe(total);
    await server.printedError(/^Log files reopened\.$/m);
  });

  it('are created again after their folder was removed; the error log says so once', async () => {
    start();
    const origin = await server.origin();
    await fetch(`${origin}/before`);
    await waitFor(contains('access.log', '/before'));
    rmSync(file('.'), { recursive: true });
    await waitFor(() => {
      // The last ones may find the server stopped.
      fetch(`${origin}/after`).catch(() => undefined);
      return contains('access.log', '/after')();
    });
    server.child.kill('SIGTERM');
    const { errors, code } = await server.ended;
    expect(code).toBe(0);
    expect(errors.match(/was removed, and was created again/g)).toHaveLength(1);
  });

  it('are reopened later if their folder cannot be created, and no line is lost', async () => {
    start();
    const origin = await server.origin();
    await fetch(`${origin}/before`);
    await waitFor(contains('access.log', '/before'));
    rmSync(file('.'), { recursive: true });
    writeFileSync(path.join(root, 'log'), 'in the way');
    server.child.kill('SIGUSR2');
    await server.printedError(/The access log cannot be written/);
    for (let at = 0; at < 10; at++) expect((await fetch(`${origin}/lost-${at}`)).status).toBe(404);
    rmSync(path.join(root, 'log'));
    await waitFor(contains('access.log', '/lost-9'));
    expect(pathsOf(readFileSync(file('access.log'), 'utf8'))).toHaveLength(10);
    server.child.kill('SIGTERM');
    const { errors } = await server.ended;
    expect(errors.match(/The access log cannot be written/g)).toHaveLength(1);
    expect(errors).toMatch(/is written again\. 0 lines were lost/);
  });

  it('do not have to exist: SIGUSR2 does not end the process', async () => {
    start({ 'platform-operations': { access_log: { enabled: false } } });
    await server.origin();
    server.child.kill('SIGUSR2');
    await server.printedError(/^No log files to reopen\.$/m);
    expect(server.child.exitCode).toBeNull();
  });

  const { it: withUnshare } = withPrograms('unshare');
  withUnshare('are written again after their disk was full; requests are served meanwhile', async () => {
    root = servers.project({ modules: MODULES, local: LOG, files: { 'log/.keep': '' } });
    const script = 'mount -t tmpfs -o size=1m none "$0/log" && exec "$1" "$2" --root "$0"';
    server = servers.startCommand('unshare', (node, main) => ['-rm', 'sh', '-c', script, root, node, main]);
    const origin = await server.origin();
    // The file system of the process is not mounted here.
    const inside = `/proc/${server.child.pid}/root${root}/log`;
    writeFileSync(`${inside}/filler`, Buffer.alloc(1_000_000));
    const bodies = Array.from({ length: 400 }, (_, at) => fetch(`${origin}/full-${at}`));
    for (const answer of await Promise.all(bodies)) expect(answer.status).toBe(404);
    await server.printedError(/ENOSPC/);
    rmSync(`${inside}/filler`);
    renameSync(`${inside}/access.log`, `${inside}/old.log`);
    const old = readFileSync(`${inside}/old.log`, 'utf8');
    rmSync(`${inside}/old.log`);
    server.child.kill('SIGUSR2');
    await server.printedError(/The access log is written again/);
    await fetch(`${origin}/again`);
    const text = (): string => readFileSync(`${inside}/access.log`, 'utf8');
    await waitFor(() => text().includes('/again'));
    // The rotated file may end with half a line; the new one begins with a line.
    const whole = old.slice(0, old.lastIndexOf('\n') + 1);
    expect(pathsOf(whole).length).toBeGreaterThan(0);
    expect(pathsOf(text()).length).toBeGreaterThan(0);
    server.child.kill('SIGTERM');
    const { errors } = await server.ended;
    expect(errors.match(/The access log cannot be written/g)).toHaveLength(1);
  });

  it('whose pipe is closed do not disturb requests', async () => {
    start({});
    const origin = await server.origin();
    server.child.stdout?.destroy();
    for (let at = 0; at < 50; at++) expect((await fetch(`${origin}/nowhere`)).status).toBe(404);
    await server.printedError(/The access log cannot be written/);
    server.child.kill('SIGTERM');
    const { errors, code } = await server.ended;
    expect(code).toBe(0);
    expect(errors.match(/The access log cannot be written/g)).toHaveLength(1);
  });
});
