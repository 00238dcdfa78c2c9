import type { ConfigObject } from '../../src/framework';
import { answerTo } from '../factories/sign-in/digest-client';
import { ALL_MODULES, sampleAuthentication } from '../factories/platform';
import { withPrograms } from '../factories/processes/programs';
import { RedisServer } from '../factories/processes/redis';
import { basic } from '../factories/http/requests';
import { ServerProcesses, type ServerProcess } from '../factories/processes/server-process';
import { childrenOf, get, until, workersProject, type Answer } from '../factories/processes/workers';

const { describe, it } = withPrograms('redis-server');

const servers = new ServerProcesses();
jest.setTimeout(240_000);

const PATH = '/v2/atlas/visits';
const BASIC = '/v1/atlas/visits';
const GUESTS = '/v2/atlas/countries';

describe('two nodes with two workers each, and one Redis', () => {
  let redis: RedisServer;
  let nodes: readonly ServerProcess[] = [];
  let origins: readonly string[] = [];
  let operations: readonly string[] = [];

  async function start(local: ConfigObject = {}): Promise<void> {
    const authentication = sampleAuthentication['platform-mvc-auth'] as ConfigObject;
    const project = workersProject(
      {
        ...sampleAuthentication,
        server: { workers: 2, shutdown_timeout: 20 },
        'platform-cluster': { redis: { url: redis.url }, deployment_key: 'k'.repeat(32) },
        ...local,
        'platform-mvc-auth': {
          ...authentication,
          ...(local['platform-mvc-auth'] as ConfigObject | undefined),
        },
      },
      { modules: ['cluster', ...ALL_MODULES] },
    );
    const listen = { OPERATIONS_LISTEN: '127.0.0.1:0' };
    nodes = [1, 2].map(() => servers.start(['--root', servers.project(project)], listen));
    origins = await Promise.all(nodes.map((node) => node.origin()));
    operations = await Promise.all(nodes.map((node) => node.printed(/^Metrics +(\S+)\/metrics$/m)));
  }

  beforeEach(async () => {
    redis = await RedisServer.start();
  });
  afterEach(async () => {
    servers.clear();
    await redis.close();
  });

  const originAt = (at: number): string => origins[at % origins.length] ?? '';
  const challengeFrom = async (at: number): Promise<string> => {
    const { authenticate = '' } = await get(originAt(at) + PATH);
    return authenticate.slice(authenticate.indexOf('Digest '));
  };
  /** Sends a nonce count over a connection of its own, which any worker gets. */
  const send = (to: string, nc: number, at: number): Promise<Answer> => {
    const user = { username: 'guide', password: 'explore' };
    const authorization = answerTo(to, { ...user, method: 'GET', uri: PATH, nc });
    return get(originAt(at) + PATH, { headers: { Authorization: authorization } });
  };
  const statusOf = async (path: string, at: number, password?: string): Promise<number> => {
    const headers = password === undefined ? {} : { headers: { Authorization: basic('guide', password) } };
    return (await get(originAt(at) + path, headers)).status;
  };

  /** How many decisions about exact limits all nodes report. */
  const exactCounts = async (result: string): Promise<number> => {
    const line = new RegExp(`^apidesc_cluster_exact_counts_total\\{result="${result}"\\} (\\d+)$`, 'm');
    const counts = operations.map(async (node) =>
      Number(line.exec(await (await fetch(`${node}/metrics`)).text())?.[1]),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };

  it('accept each count once, whichever workers it is sent to at the same time', async () => {
    await start();
    const nonce = await challengeFrom(0);
    const counts = Array.from({ length: 40 }, (_, at) => at + 1);
    const answers = await Promise.all(
      counts.flatMap((nc) =>
        [0, 1, 2, 3, 4].map((at) => send(nonce, nc, at).then((one) => ({ nc, ...one }))),
      ),
    );
    const accepted = answers.filter(({ status }) => status === 200).map(({ nc }) => nc);
    expect(accepted.sort((a, b) => a - b)).toEqual(counts);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
    // One node may have accepted all of them.
    const metrics = await Promise.all(
      operations.map(async (origin) => (await fetch(`${origin}/metrics`)).text()),
    );
    for (const one of metrics) expect(one).toMatch(/^apidesc_cluster_redis_available 1$/m);
    const claims = metrics.map((one) =>
      Number(/^apidesc_cluster_nonce_claims_total\{result="accepted"\} (\d+)$/m.exec(one)?.[1] ?? 0),
    );
    expect(claims.reduce((sum, one) => sum + one, 0)).toBe(counts.length);
  });

  it('respond 503 to Digest without Redis, and accept nothing again when it is back', async () => {
    await start();
    const nonce = await challengeFrom(0);
    for (let nc = 1; nc <= 4; nc++) expect((await send(nonce, nc, nc)).status).toBe(200);
    await redis.kill();
    for (let at = 0; at < 6; at++) {
      expect((await send(nonce, 10 + at, at)).status).toBe(503);
      expect(await statusOf(GUESTS, at)).toBe(200);
      expect(await statusOf(BASIC, at, 'explore')).toBe(200);
    }
    await until(async () => {
      const ready = await fetch(`${operations[1] ?? ''}/ready`);
      return ready.status === 200 && (await ready.text()).includes('redis');
    });
    await redis.start();
    await until(async () => (await send(await challengeFrom(0), 1, 1)).status === 200);
    for (let nc = 1; nc <= 20; nc++) {
      const { status, authenticate } = await send(nonce, nc, nc);
      expect([401, 503]).toContain(status);
      if (status === 401) expect(authenticate).toContain('stale=true');
    }
    for (let at = 0; at < 4; at++)
      await until(async () => (await send(await challengeFrom(at), 1, at + 1)).status === 200);
  });

  it('count failed sign-ins and requests for all workers, also for one that is started later', async () => {
    await start({
      'platform-rate-limits': { 'Atlas/Country': [{ limit: 40, window: 600, per: 'address' }] },
      'platform-mvc-auth': { throttling: { failures: 5, window: 600 } },
    });
    for (let at = 0; at < 5; at++) expect(await statusOf(BASIC, 0, `wrong${at}`)).toBe(401);
    for (let at = 0; at < 40; at++) await statusOf(GUESTS, 0);
    // Each connection goes to the next worker.
    const all = async (path: string, node: number, password?: string): Promise<boolean> => {
      const statuses = await Promise.all([0, 2, 4, 6].map((at) => statusOf(path, at + node, password)));
      return statuses.every((status) => status === 429);
    };
    for (const node of [0, 1]) {
      await until(() => all(BASIC, node, 'another'));
      await until(() => all(GUESTS, node));
    }
    const workers = childrenOf(nodes[1]?.child.pid);
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    await until(() => {
      const next = childrenOf(nodes[1]?.child.pid);
      return next.length === 2 && next.every((pid) => !workers.includes(pid));
    });
    await nodes[1]?.printedError(/Worker 1 serves again/);
    await nodes[1]?.printedError(/Worker 2 serves again/);
    expect(await all(BASIC, 1, 'explore')).toBe(true);
    expect(await all(GUESTS, 1)).toBe(true);
  });

  it('allow as many requests as an exact limit, and one more at most for each late reply of Redis', async () => {
    await start({
      'platform-rate-limits': { 'Atlas/Country': [{ limit: 30, window: 600, per: 'address', exact: true }] },
    });
    const statuses = await Promise.all(Array.from({ length: 90 }, (_, at) => statusOf(GUESTS, at)));
    const allowed = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status === 429)).toHaveLength(90 - allowed);
    const [counted, late] = await Promise.all(['counted', 'failed'].map(exactCounts));
    expect(counted).toBeGreaterThan(0);
    expect(allowed).toBeGreaterThanOrEqual(30);
    expect(allowed).toBeLessThanOrEqual(30 + (late ?? 0));
  });

  it('stop without waiting for Redis', async () => {
    await start();
    redis.pause();
    for (const node of nodes) node.child.kill('SIGTERM');
    for (const node of nodes) expect((await node.ended).code).toBe(0);
    redis.resume();
  });
});
