import { BAD, TestDeployment, until, type TestNode } from '../factories/processes/deployment';
import { withPrograms } from '../factories/processes/programs';
import { RedisServer } from '../factories/processes/redis';
import { get, workersProject } from '../factories/processes/workers';

const { describe, it } = withPrograms('redis-server');

jest.setTimeout(240_000);

const MODULES = workersProject();

/** What the workers of a node say over new connections, which they get in turn. */
async function whereAt({
  origin,
}: TestNode): Promise<readonly { readonly pid: number; readonly selectors: string[] }[]> {
  const answers = await Promise.all(Array.from({ length: 6 }, () => get(`${origin}/where`)));
  return answers.map(({ text }) => JSON.parse(text) as { pid: number; selectors: string[] });
}

describe('two nodes with two workers each, and their configuration in Redis', () => {
  let redis: RedisServer;
  let deployment: TestDeployment;
  let nodes: readonly [a: TestNode, b: TestNode];

  beforeAll(async () => {
    redis = await RedisServer.start();
    deployment = new TestDeployment({
      redis: { url: redis.url },
      deployment_key: 'k'.repeat(32),
      store: 'redis',
    });
    const local = { server: { workers: 2, shutdown_timeout: 20 } };
    nodes = [await deployment.node('a', local, MODULES), await deployment.node('b', local, MODULES)];
    await nodes[0].start();
    await nodes[1].start({ STRICT: '1' });
  });
  afterAll(async () => {
    deployment.clear();
    await redis.close();
  });

  const serves = async (node: TestNode, name: string): Promise<boolean> =>
    (await whereAt(node)).every(({ selectors }) => selectors.includes(name));

  it('activate a change of an administrator in all workers of all nodes', async () => {
    const pids = await Promise.all(nodes.map(whereAt));
    expect(pids.map((all) => new Set(all.map(({ pid }) => pid)).size)).toEqual([2, 2]);
    expect(await nodes[0].createSelector('Shared')).toBe(201);
    for (const node of nodes) await until('all workers serve it', () => serves(node, 'Shared'));
    const { body } = await nodes[1].call('GET', '/nodes');
    expect(body.nodes).toMatchObject(
      ['a', 'b'].map((node) => ({ node, state: 'serving', revision: body.revision })),
    );
  });

  it('change nothing anywhere if one node refuses', async () => {
    const before = nodes.map((node) => node.local());
    expect(await nodes[0].createSelector(`${BAD}One`)).toBeGreaterThanOrEqual(400);
    expect(nodes.map((node) => node.local())).toEqual(before);
    for (const node of nodes) expect(await serves(node, `${BAD}One`)).toBe(false);
  });

  it('serve the current revision from workers that replace killed ones', async () => {
    const [, b] = nodes;
    const [first] = await whereAt(b);
    if (first === undefined) throw new Error('No worker responds.');
    process.kill(first.pid, 'SIGKILL');
    expect(await nodes[0].createSelector('Later')).toBe(201);
    await until('two workers serve it, the killed one does not', async () => {
      const all = await whereAt(b).catch(() => []);
      const pids = new Set(all.map(({ pid }) => pid));
      return (
        pids.size === 2 && !pids.has(first.pid) && all.every(({ selectors }) => selectors.includes('Later'))
      );
    });
  });

  it('are not ready as soon as they stop, also while Redis does not respond', async () => {
    const [a] = nodes;
    redis.pause();
    a.process.child.kill('SIGTERM');
    await a.process.printed(/^Shutting down/m);
    expect(await a.ready()).toMatchObject({ status: 503, body: { status: 'draining' } });
    expect((await a.process.ended).code).toBe(0);
    redis.resume();
  });
});
