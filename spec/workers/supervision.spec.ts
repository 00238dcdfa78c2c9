import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { run } from '../factories/processes/processes';
import { withPrograms } from '../factories/processes/programs';
import { ServerProcesses } from '../factories/processes/server-process';
import {
  askWhere,
  childrenOf,
  firstChildOf,
  get,
  isRunning,
  startClients,
  until,
  workersProject,
} from '../factories/processes/workers';

const servers = new ServerProcesses();
afterEach(() => servers.clear());
jest.setTimeout(180_000);
const withLimits = withPrograms('prlimit').it;

const start = (...project: Parameters<typeof workersProject>): ReturnType<ServerProcesses['start']> =>
  servers.start(['--root', servers.project(workersProject(...project))]);

describe('a service with workers', () => {
  it('responds from each of them, prints its addresses once, and stops without a process left', async () => {
    const server = start({ server: { workers: 3 } });
    const origin = await server.origin();
    const workers = childrenOf(server.child.pid);
    expect(workers).toHaveLength(3);
    const answered = new Set<number>();
    await until(async () => {
      for (const { pid } of await askWhere(origin, 12)) answered.add(pid);
      return answered.size === 3;
    });
    expect([...answered].sort()).toEqual([...workers].sort());
    server.child.kill('SIGTERM');
    const { code, output } = await server.ended;
    expect(code).toBe(0);
    expect(output.match(/^Service /gm)).toHaveLength(1);
    expect(output).toMatch(/^Workers +3$/m);
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('starts with modules that Node.js loads first, such as the SDK of OpenTelemetry', async () => {
    const root = servers.project(
      workersProject({}, { files: { 'first.mjs': "process.emitWarning('Loaded first.');" } }),
    );
    const first = path.join(root, 'first.mjs');
    const server = servers.startCommand(process.execPath, (_, main) => [
      '--import',
      first,
      main,
      '--root',
      root,
    ]);
    expect((await fetch(`${await server.origin()}/where`)).status).toBe(200);
    server.child.kill('SIGTERM');
    const { code, errors } = await server.ended;
    expect([code, errors.match(/Loaded first\./g)?.length]).toEqual([0, 3]);
  });

  it('finishes requests in flight when it stops', async () => {
    const server = start();
    const origin = await server.origin();
    const answers = Promise.all(Array.from({ length: 4 }, () => get(`${origin}/slow`)));
    await until(() => askWhere(origin, 1).then(() => true));
    server.child.kill('SIGTERM');
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await server.ended).code).toBe(0);
  });

  it('ends at once at the second signal', async () => {
    const server = start({ server: { workers: 2, drain_delay: 600 } });
    await server.origin();
    const workers = childrenOf(server.child.pid);
    server.child.kill('SIGTERM');
    await server.printed(/^Shutting down/m);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(1);
    await until(() => !workers.some(isRunning));
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('starts a killed worker again, unnoticed by clients that repeat requests on a closed connection', async () => {
    const server = start();
    const origin = await server.origin();
    const clients = startClients(`${origin}/where`, { retries: true });
    await until(() => clients.results.requests > 50);
    const first = firstChildOf(server.child.pid);
    const [, second] = childrenOf(server.child.pid);
    process.kill(first, 'SIGKILL');
    expect(
      await server.printedError(/Worker \d ended unexpectedly \(signal SIGKILL\)\. It is started again/),
    ).toBeDefined();
    await server.printedError(/Worker \d serves again\./);
    const requests = clients.results.requests;
    await until(() => clients.results.requests > requests + 50);
    expect((await clients.stop()).failures).toEqual([]);
    const workers = childrenOf(server.child.pid);
    expect(workers).toHaveLength(2);
    expect(workers).toContain(second);
    expect(workers).not.toContain(first);
  });

  withLimits('stays when no process can be started, and starts the worker as soon as one can', async () => {
    const server = start();
    const origin = await server.origin();
    const limit = (files: number) =>
      run('prlimit', [`--pid=${server.child.pid}`, `--nofile=${files}:`]).then(({ code }) => code);
    expect(await limit(3)).toBe(0);
    process.kill(firstChildOf(server.child.pid), 'SIGKILL');
    await server.printedError(/Worker \d could not be started: Worker \d ended \(spawn .* EMFILE\)/);
    expect(await limit(1_024)).toBe(0);
    await server.printedError(/Worker \d serves again\./);
    expect(childrenOf(server.child.pid)).toHaveLength(2);
    expect(await askWhere(origin, 4)).toHaveLength(4);
  });

  it('starts a worker again that an uncaught exception has ended', async () => {
    const server = start();
    const origin = await server.origin();
    await fetch(`${origin}/crash`, { method: 'POST' });
    await server.printedError(/Uncaught exception/);
    await server.printedError(/Worker \d ended unexpectedly \(exit code 1\)/);
    await server.printedError(/Worker \d serves again\./);
    expect(await askWhere(origin, 4)).toHaveLength(4);
  });

  it('replaces the workers one after the other at SIGUSR1, and fails no request', async () => {
    const server = start({ server: { workers: 2, shutdown_timeout: 60 } });
    const origin = await server.origin();
    const clients = startClients(`${origin}/where`);
    await until(() => clients.results.requests > 50);
    const before = childrenOf(server.child.pid);
    server.child.kill('SIGUSR1');
    await server.printed(/^All workers replaced\.$/m);
    const after = childrenOf(server.child.pid);
    const requests = clients.results.requests;
    await until(() => clients.results.requests > requests + 50);
    expect((await clients.stop()).failures).toEqual([]);
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('replaces the workers after the start if SIGUSR1 arrives before', async () => {
    const slow = `
      import cluster from 'node:cluster';
      import { setTimeout as pause } from 'node:timers/promises';
      export default class {
        name = 'slow-start';
        async onBootstrap() {
          if (!cluster.isWorker) return;
          process.stderr.write('A worker starts.\\n');
          await pause(1_000);
        }
      }`;
    const server = start({}, { modules: ['./slow-start.mjs'], files: { 'slow-start.mjs': slow } });
    await server.printedError(/A worker starts\./);
    server.child.kill('SIGUSR1');
    await server.printed(/^All workers replaced\.$/m);
    server.child.kill('SIGTERM');
    const { code, errors } = await server.ended;
    expect(code).toBe(0);
    expect(errors).not.toContain('Debugger');
  });

  it('has workers that ignore the signals of the primary', async () => {
    const server = start();
    const origin = await server.origin();
    const workers = childrenOf(server.child.pid);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)
      for (const pid of workers) process.kill(pid, signal);
    const answered = new Set<number>();
    await until(async () => {
      for (const { pid } of await askWhere(origin, 4)) answered.add(pid);
      return answered.size === 2;
    });
    expect([...answered].sort()).toEqual([...workers].sort());
    server.child.kill('SIGTERM');
    expect((await server.ended).errors).not.toContain('Debugger');
  });

  it('leaves no worker behind when the primary is killed', async () => {
    const server = start();
    await server.origin();
    const workers = childrenOf(server.child.pid);
    expect(workers).toHaveLength(2);
    server.child.kill('SIGKILL');
    await until(() => !workers.some(isRunning));
    expect(workers.filter(isRunning)).toEqual([]);
  });

  it('prints a configuration error once, and exits', async () => {
    const server = start({ where: { refused: 'No worker can use this.' } });
    const { code, output, errors } = await server.ended;
    expect(code).toBe(1);
    expect(errors.match(/No worker can use this\./g)).toHaveLength(1);
    expect(output).toBe('');
  });

  it('prints once that the port is in use, and exits', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    // A server that listens on a port has an AddressInfo.
    const { port } = other.address() as AddressInfo;
    const root = servers.project(workersProject({ server: { workers: 3 } }));
    const server = servers.start(['--root', root], { PORT: String(port) });
    const { code, errors } = await server.ended;
    other.close();
    expect([code, errors.match(/already in use/g)?.length]).toEqual([1, 1]);
  });
});
