import cluster from 'node:cluster';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { ConfigurationSnapshot } from '../../../src/framework';
import { WorkerProcess } from '../../../src/workers/pool/worker-process';
import { WorkerReplicas } from '../../../src/workers/pool/worker-replicas';
import { makeProject } from '../../factories/platform';

/** Answers every call, until one of them has the name in its environment: this one blocks it. */
const WORKER = `
process.on('message', (message) => {
  for (const { call, id } of message['apidesc-platform'] ?? []) {
    if (call === process.env.BLOCKED_BY) for (;;);
    if (id !== 0) process.send({ 'apidesc-platform': [{ result: id, output: null }] });
  }
});
`;

/** Only workers read it. */
const SNAPSHOT = {} as ConfigurationSnapshot;

describe('a configuration change with a blocked worker', () => {
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
