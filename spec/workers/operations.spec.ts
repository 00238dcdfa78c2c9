import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import type { TestProject } from '../factories/platform';
import {
  askWhere,
  childrenOf,
  firstChildOf,
  get,
  isRunning,
  until,
  workersProject,
} from '../factories/processes/workers';

const servers = new ServerProcesses();
afterEach(() => servers.clear());
jest.setTimeout(180_000);

const OPERATION = /^apidesc_http_requests_total\{.*service="Where".*status="2xx"\} (\d+)$/m;

const BROKEN = `
export default class {
  name = 'broken';
  onBootstrap({ application }) {
    application.dependencies.push({ name: 'shop', isAvailable: () => { throw new Error('closed'); } });
    const metric = { help: 'What it is.', type: 'gauge' };
    application.measurements.push(
      { ...metric, name: 'shop_queue', values: () => { throw new Error('closed'); } },
      { ...metric, name: 'shop_jobs', values: () => [[{ priority: 1 }, 2]] },
    );
  }
}
`;

async function start(
  local: object = {},
  project: TestProject = {},
): Promise<{
  readonly root: string;
  readonly server: ServerProcess;
  readonly origin: string;
  readonly operations: string;
}> {
  const root = servers.project(workersProject({ server: { workers: 3 }, ...local }, project));
  const server = servers.start(['--root', root], { OPERATIONS_LISTEN: '127.0.0.1:0' });
  const origin = await server.origin();
  return { root, server, origin, operations: await server.printed(/^Metrics +(\S+)\/metrics$/m) };
}

const metrics = async (operations: string): Promise<string> => (await fetch(`${operations}/metrics`)).text();

describe('the operations port of a primary', () => {
  it('has the sum of the requests of all workers, also of those that were replaced', async () => {
    const { server, origin, operations } = await start();
    await askWhere(origin, 60);
    expect(OPERATION.exec(await metrics(operations))?.[1]).toBe('60');
    server.child.kill('SIGUSR1');
    await server.printed(/^All workers replaced\.$/m);
    await askWhere(origin, 30);
    const text = await metrics(operations);
    expect(OPERATION.exec(text)?.[1]).toBe('90');
    expect(text).toMatch(/^apidesc_http_request_duration_seconds_count\{.*service="Where".*\} 90$/m);
    expect(text).toMatch(/^apidesc_workers\{state="ready"\} 3$/m);
  });

  it('has each metric once, and those of the processes by worker', async () => {
    const { origin, operations } = await start();
    await askWhere(origin, 3);
    const text = await metrics(operations);
    const heads = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    expect(new Set(heads).size).toBe(heads.length);
    const workers = [...text.matchAll(/^process_resident_memory_bytes\{worker="(\w+)"\} \d+$/gm)];
    expect(workers.map(([, worker]) => worker)).toEqual(['primary', '1', '2', '3']);
    expect(text).toMatch(/^apidesc_http_requests_in_flight 0$/m);
  });

  it('leaves out a metric that cannot be measured, and names a dependency that cannot say whether it is available', async () => {
    const { server, origin, operations } = await start(
      {},
      { modules: ['./broken.mjs'], files: { 'broken.mjs': BROKEN } },
    );
    await askWhere(origin, 30);
    const text = await metrics(operations);
    expect(OPERATION.exec(text)?.[1]).toBe('30');
    expect(text).toMatch(/^shop_jobs\{priority="1"\} \d+$/m);
    expect(text).not.toContain('shop_queue');
    expect(await (await fetch(`${operations}/ready`)).json()).toEqual({
      status: 'ready',
      degraded: ['shop'],
    });
    await server.printedError(/A metric cannot be measured, and is left out\./);
  });

  it('counts workers that ended, and is ready with those that are left', async () => {
    const { server, operations } = await start();
    const first = firstChildOf(server.child.pid);
    process.kill(first, 'SIGKILL');
    await server.printedError(/Worker \d ended unexpectedly/);
    expect((await fetch(`${operations}/ready`)).status).toBe(200);
    expect(await metrics(operations)).toMatch(/^apidesc_worker_restarts_total 1$/m);
    expect((await fetch(`${operations}/live`)).status).toBe(200);
  });

  it('has a successor at once of a worker that still finishes requests after an uncaught exception', async () => {
    const { server, origin, operations } = await start({
      server: { workers: 2, drain_delay: 600, shutdown_timeout: 60 },
    });
    const before = childrenOf(server.child.pid);
    for (let count = 0; count < 8; count++) void get(`${origin}/long`).catch(() => undefined);
    await until(async () => /^apidesc_http_requests_in_flight 8$/m.test(await metrics(operations)));
    await fetch(`${origin}/crash`, { method: 'POST' });
    await server.printedError(/Worker \d ended unexpectedly \(exit code 1\)/);
    await server.printedError(/Worker \d serves again\./);
    expect(before.filter(isRunning)).toEqual(before);
    // It accepts no connection: no change of the configuration reaches it.
    const pids = new Set((await askWhere(origin, 30)).map(({ pid }) => pid));
    expect(before.filter((pid) => pids.has(pid))).toHaveLength(1);
    expect(pids.size).toBe(2);
    const text = await metrics(operations);
    expect(text).toMatch(/^apidesc_workers\{state="ready"\} 2$/m);
    expect(text).toMatch(/^apidesc_workers\{state="other"\} 1$/m);
    const workers = [...text.matchAll(/^process_resident_memory_bytes\{worker="(\w+)"\} \d+$/gm)];
    expect(workers.map(([, worker]) => worker)).toEqual(['primary', '1', '2']);
  });

  it('is not ready while no worker is, and while the service stops', async () => {
    const { server, operations } = await start({ server: { workers: 2, drain_delay: 3 } });
    for (const pid of childrenOf(server.child.pid)) process.kill(pid, 'SIGKILL');
    const without: string[] = [];
    await until(async () => {
      const answer = await fetch(`${operations}/ready`);
      if (answer.status === 503) without.push(await answer.text());
      return without.length > 0;
    });
    expect(JSON.parse(without[0] ?? '{}')).toMatchObject({ status: 'no workers' });
    await until(async () => (await fetch(`${operations}/ready`)).status === 200);
    server.child.kill('SIGTERM');
    await server.printed(/^Shutting down/m);
    const answer = await fetch(`${operations}/ready`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'draining', degraded: [] }]);
  });
});

describe('the logs of workers', () => {
  const lines = (text: string): readonly { readonly path: string }[] =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string });

  it('are whole lines in one file, which all of them open again at SIGUSR2', async () => {
    const { root, server, origin } = await start({
      'platform-operations': { access_log: { file: 'data/access.log' } },
    });
    const file = path.join(root, 'data/access.log');
    await askWhere(origin, 300);
    await until(() => readFileSync(file, 'utf8').split('\n').length > 300);
    renameSync(file, `${file}.1`);
    server.child.kill('SIGUSR2');
    await server.printedError(/^Log files reopened\.$/m);
    await askWhere(origin, 300);
    server.child.kill('SIGTERM');
    await server.ended;
    expect(lines(readFileSync(`${file}.1`, 'utf8'))).toHaveLength(300);
    expect(lines(readFileSync(file, 'utf8'))).toHaveLength(300);
  });

  it('are whole lines on a pipe, also long ones', async () => {
    const { server, origin } = await start();
    const long = `?${'x'.repeat(6_000)}`;
    await Promise.all(
      Array.from({ length: 300 }, (_, at) => fetch(`${origin}/where${at % 2 === 0 ? long : ''}`)),
    );
    server.child.kill('SIGTERM');
    const { output } = await server.ended;
    const logged = output.split('\n').filter((line) => line.startsWith('{'));
    expect(lines(logged.join('\n'))).toHaveLength(300);
    expect(output).not.toMatch(/[^\n]\{"level"/);
  });

  it('are counted if they are dropped, as nobody reads them', async () => {
    const { server, origin } = await start();
    server.child.stdout?.pause();
    const long = 'x'.repeat(6_000);
    for (let batch = 0; batch < 20; batch++)
      await Promise.all(Array.from({ length: 100 }, () => get(`${origin}/${long}`)));
    server.child.stdout?.resume();
    const lost = await server.printedError(
      /"lost":(\d+),.*Dropped \1 lines of workers while standard output could not be written\./,
    );
    server.child.kill('SIGTERM');
    const { output } = await server.ended;
    const logged = output.split('\n').filter((line) => line.startsWith('{'));
    expect(lines(logged.join('\n'))).toHaveLength(2_000 - Number(lost));
  });
});
