import cluster, { type Worker } from 'node:cluster';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConfigurationSnapshot } from '../../../src/framework';
import type { WorkerStart } from '../../../src/workers/messages';
import { rescueConnections } from '../../../src/workers/pending-connections';
import { watchWorker } from '../../../src/workers/pool/watch-worker';
import { WorkerPool } from '../../../src/workers/pool/worker-pool';
import { WorkerProcess } from '../../../src/workers/pool/worker-process';
import { WorkerReplicas } from '../../../src/workers/pool/worker-replicas';
import { makeProject } from '../../factories/platform';
import { until } from '../../factories/processes/workers';

/** Answers every call, until one of them has the name in its environment: this one blocks it. */
const WORKER = `
process.on('message', (message) => {
  for (const { call, id } of message['apidesc-platform'] ?? []) {
    if (call === process.env.BLOCKED_BY) for (;;);
    if (id !== 0) process.send({ 'apidesc-platform': [{ result: id, output: null }] });
  }
});
process.send({ 'apidesc-platform': [{ call: 'loaded', id: 0, input: null }] });
`;

/** Only workers read it. */
const SNAPSHOT = {} as ConfigurationSnapshot;

let root: string;
let workers: WorkerProcess[];
beforeAll(() => {
  root = makeProject({ modules: [], files: { 'worker.js': WORKER } });
  cluster.setupPrimary({ exec: path.join(root, 'worker.js'), args: [], serialization: 'advanced' });
});
afterAll(() => rmSync(root, { recursive: true }));
afterEach(async () => {
  for (const worker of workers) worker.kill();
  await Promise.all(workers.map(({ ended }) => ended));
});

describe('a configuration change with a blocked worker', () => {
  async function start(blockedBy: string): Promise<readonly [WorkerProcess, WorkerProcess]> {
    const pair = [
      new WorkerProcess(1, cluster.fork()),
      new WorkerProcess(2, cluster.fork({ BLOCKED_BY: blockedBy })),
    ] as const;
    workers = [...pair];
    await Promise.all(pair.map(({ channel }) => channel.call('measure', null)));
    return pair;
  }

  it.each(['prepare', 'activate'])('ends it if it is blocked by "%s", and continues', async (blockedBy) => {
    const [other, blocked] = await start(blockedBy);
    const prepared = await new WorkerReplicas(() => workers, 500).prepare(SNAPSHOT);
    await prepared.activate();
    expect(await blocked.ended).toMatch(/^killed, because it did not respond within 0\.5 s/);
    expect([blocked.state, other.state]).toEqual(['ended', 'starting']);
  });
});

describe('a worker that does not respond', () => {
  it('is killed, and others are not', async () => {
    workers = [
      new WorkerProcess(1, cluster.fork()),
      new WorkerProcess(2, cluster.fork({ BLOCKED_BY: 'merge' })),
    ];
    const [responding, blocked] = workers as [WorkerProcess, WorkerProcess];
    await Promise.all(workers.map(({ channel }) => channel.call('measure', null)));
    for (const worker of workers) watchWorker(worker, 500);
    expect(await blocked.ended).toMatch(/^killed, because it did not respond within 3\.5 s/);
    await responding.channel.call('measure', null);
  });
});

describe('a worker that stops', () => {
  it('has the longest time that can be configured', async () => {
    const worker = new WorkerProcess(1, cluster.fork());
    workers = [worker];
    await worker.channel.call('measure', null);
    // The longest `server.shutdown_timeout`, and the time to end.
    void worker.stop(true, 2_147_483 + 5);
    await worker.channel.call('measure', null);
    expect(worker.state).toBe('leaving');
    await pause(200);
    expect(worker.state).toBe('leaving');
  });
});

describe('a connection on its way to a worker that dies', () => {
  it.each([
    ['is closed if only workers are left that have begun to listen since then', [], 'closed'],
    ['is handed to another one that still listens', [{ state: 'ready' as const }], 'handed on'],
  ])('%s', async (_, atExit, expected) => {
    const forked = cluster.fork();
    const worker = new WorkerProcess(1, forked);
    workers = [worker];
    let ready: readonly { readonly state: 'ready' }[] = atExit;
    await worker.channel.call('measure', null);
    const outcome = new Promise((resolve) => {
      forked.process.on('internalMessage', ({ ack }: { ack?: number }) => ack === 7 && resolve('handed on'));
      const handle = { close: () => resolve('closed') };
      // The message is lost with the worker.
      forked.process.send = () => true;
      rescueConnections(forked, () => ready);
      Reflect.apply(forked.process.send, forked.process, [
        { cmd: 'NODE_CLUSTER', act: 'newconn', seq: 7 },
        handle,
      ]);
    });
    worker.kill();
    await worker.ended;
    ready = [{ state: 'ready' }];
    expect(await outcome).toBe(expected);
  });
});

describe('a connection on its way to a worker that stops listening', () => {
  it.each([
    ['is closed if no other one shares its socket', 1, true],
    ['is left to another one that shares its socket', 2, false],
  ])('%s', (key, count, expected) => {
    const cmd = 'NODE_CLUSTER';
    const forked = Array.from({ length: count }, () => cluster.fork());
    workers = forked.map((one, at) => new WorkerProcess(at + 1, one));
    const send = (one: Worker, ...args: readonly unknown[]): unknown =>
      Reflect.apply(one.process.send, one.process, args);
    for (const one of forked) {
      one.process.send = () => true;
      rescueConnections(one, () => []);
      send(one, { cmd, ack: 1, key, errno: null });
    }
    const [last] = forked as [Worker];
    let isClosed = false;
    send(last, { cmd, act: 'newconn', seq: 7, key }, { close: () => (isClosed = true) });
    last.process.emit('internalMessage', { cmd, act: 'close', key });
    last.process.emit('internalMessage', { cmd, ack: 7, accepted: false });
    expect(isClosed).toBe(expected);
  });
});

describe('a rolling restart', () => {
  const lines: string[] = [];
  const note = (_: object, line: string): unknown => lines.push(line);
  let last: Promise<unknown>;
  let pool: WorkerPool;
  // It would start killed workers again.
  afterEach(() => pool.stop());

  const exclusively = <T>(action: () => Promise<T>): Promise<T> => {
    const result = last.then(action);
    last = result.catch(() => undefined);
    return result;
  };

  /** Starts a pool of one worker. @param started called when one listens */
  async function startPool(started: (worker: WorkerProcess) => Promise<unknown>): Promise<void> {
    [workers, last] = [[], Promise.resolve()];
    pool = new WorkerPool({
      size: 1,
      fork: (number) => {
        const worker = new WorkerProcess(number, cluster.fork());
        workers.push(worker);
        return worker;
      },
      start: async (worker) => {
        // The worker does not read it.
        await worker.start({} as WorkerStart);
        await started(worker);
      },
      exclusively,
      stopTimeout: () => 0.1,
      log: () => ({ error: note, warn: note, info: note }),
    });
    await pool.start();
  }

  it('leaves one worker if the old one dies while its successor starts', async () => {
    await startPool(async (worker) => {
      const [old] = workers;
      if (old === worker) return;
      old?.kill();
      await old?.ended;
    });
    await pool.replaceAll();
    await until(() => lines.includes('Worker 1 serves again.'));
    expect(pool.running).toEqual(pool.ready);
    expect(pool.ready).toHaveLength(1);
  });

  it('passes the next configuration change on to the successor', async () => {
    await startPool(() => Promise.resolve());
    const replaced = pool.replaceAll();
    const concerned = await exclusively(() => Promise.resolve(pool.ready));
    await replaced;
    expect(concerned).toEqual(pool.ready);
  });
});
