import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../src/framework';
import { answerTo, challengeOf } from '../../factories/sign-in/digest-client';
import {
  ALL_MODULES,
  sampleAuthentication,
  startTestPlatform,
  type TestPlatform,
} from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { basic } from '../../factories/http/requests';
import { until } from '../../factories/until';

const { describe, it } = withPrograms('redis-server');

const GUESTS = '/v2/atlas/countries';
const BASIC = '/v1/atlas/visits';
const DIGEST = '/v2/atlas/visits';

let server: RedisServer;
const nodes: TestPlatform[] = [];

beforeEach(async () => {
  server = await RedisServer.start();
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
  await server.close();
});

async function startNode(local: ConfigObject): Promise<TestPlatform> {
  const authentication: ConfigObject = sampleAuthentication['platform-mvc-auth'] as ConfigObject;
  const throttling = local['platform-mvc-auth'] as ConfigObject | undefined;
  const node = await startTestPlatform({
    modules: ['cluster', ...ALL_MODULES],
    local: {
      ...sampleAuthentication,
      'platform-cluster': { redis: { url: server.url }, deployment_key: 'k'.repeat(32) },
      ...local,
      'platform-mvc-auth': { ...authentication, ...throttling },
    },
  });
  nodes.push(node);
  return node;
}

function nodeAt(at: number): TestPlatform {
  const node = nodes[at % nodes.length];
  if (node === undefined) throw new Error('No node was started.');
  return node;
}

async function statusOf(node: TestPlatform, path: string, password?: string): Promise<number> {
  const headers = password === undefined ? {} : { Authorization: basic('guide', password) };
  return (await node.request(path, { headers })).status;
}

const limit = (exact: boolean): ConfigObject => ({
  'platform-rate-limits': { Atlas: [{ limit: 20, window: 600, per: 'address', exact }] },
});
const throttling = (exact: boolean): ConfigObject => ({
  'platform-mvc-auth': { throttling: { failures: 5, window: 600, exact } },
});

describe('rate limits of two nodes', () => {
  it('count the requests of both, and a node that starts later knows them', async () => {
    const [a, b] = [await startNode(limit(false)), await startNode(limit(false))];
    for (let at = 0; at < 10; at++) expect(await statusOf(a, GUESTS)).toBe(200);
    await until(async () => {
      const remaining = Number(
        /;r=(\d+)/.exec((await b.request(GUESTS)).headers.get('ratelimit') ?? '')?.[1],
      );
      return remaining < 10 || Number.isNaN(remaining);
    });
    await until(async () => (await statusOf(a, GUESTS)) === 429);
    await until(async () => (await statusOf(b, GUESTS)) === 429);
    const late = await startNode(limit(false));
    expect(await statusOf(late, GUESTS)).toBe(429);
  });

  it('that are exact allow no request too many, and continue in each node without Redis', async () => {
    await startNode(limit(true));
    await startNode(limit(true));
    const responses = await Promise.all(Array.from({ length: 60 }, (_, at) => nodeAt(at).request(GUESTS)));
    const allowed = responses.filter((response) => response.status === 200);
    expect(allowed).toHaveLength(20);
    expect(responses.filter((response) => response.status === 429)).toHaveLength(40);
    // Each says what was left after it.
    const left = allowed.map((response) =>
      Number(/;r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]),
    );
    expect(left.sort((x, y) => x - y)).toEqual(Array.from({ length: 20 }, (_, at) => at));
    // Each node has counted, too, and merges what the other reports.
    await delay(500);
    await server.kill();
    for (const node of nodes) expect(await statusOf(node, GUESTS)).toBe(429);
    await server.start();
    // An empty server knows of no request.
    await until(async () => (await statusOf(nodeAt(0), GUESTS)) === 200);
  });
});

describe('a rate limit next to an exact one', () => {
  it('allows no request too many while Redis is asked', async () => {
    const [ordinary, exact] = [
      { limit: 5, window: 600, per: 'address' },
      { limit: 1_000, window: 3_600, per: 'address', exact: true },
    ];
    const node = await startNode({ 'platform-rate-limits': { Atlas: [ordinary, exact] } });
    const all = await Promise.all(Array.from({ length: 50 }, () => statusOf(node, GUESTS)));
    expect(all.filter((status) => status === 200)).toHaveLength(5);
    expect(all.filter((status) => status === 429)).toHaveLength(45);
  });

  it('counts no request that the exact one refuses', async () => {
    const [everyone, exact] = [
      { limit: 5, window: 600, per: 'all' },
      { limit: 2, window: 600, per: 'user', exact: true },
    ];
    const node = await startNode({ 'platform-rate-limits': { Atlas: [everyone, exact] } });
    for (const expected of [200, 200, 429, 429, 429, 429])
      expect(await statusOf(node, GUESTS)).toBe(expected);
    expect(await statusOf(node, BASIC, 'explore')).toBe(200);
  });
});

describe('failed sign-ins of two nodes', () => {
  it('are counted for both', async () => {
    const [a, b] = [await startNode(throttling(false)), await startNode(throttling(false))];
    for (let at = 0; at < 5; at++) expect(await statusOf(a, BASIC, `wrong${at}`)).toBe(401);
    await until(async () => (await statusOf(b, BASIC, 'another guess')) === 429);
    expect(await statusOf(b, BASIC, 'explore')).toBe(429);
    expect(await statusOf(a, BASIC, 'explore')).toBe(429);
    const late = await startNode(throttling(false));
    expect(await statusOf(late, BASIC, 'explore')).toBe(429);
  });

  it('that are exact never exceed the limit, and a success forgets them everywhere', async () => {
    await startNode(throttling(true));
    await startNode(throttling(true));
    const send = (at: number, password: string): Promise<number> => statusOf(nodeAt(at), BASIC, password);
    for (let at = 0; at < 4; at++) expect(await send(at, `wrong${at}`)).toBe(401);
    expect(await send(0, 'explore')).toBe(200);
    // Equal passwords, as of a browser, are one guess.
    expect(await Promise.all(Array.from({ length: 16 }, (_, at) => send(at, 'explore')))).toEqual(
      Array.from({ length: 16 }, () => 200),
    );
    // A node that learns of the success later would forget these guesses without Redis.
    await delay(500);
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, at) => send(at, `guess${at}`)));
    expect(guesses.filter((status) => status === 401)).toHaveLength(5);
    expect(guesses.filter((status) => status === 429)).toHaveLength(7);
    for (const at of [0, 1]) expect(await send(at, 'explore')).toBe(429);
    // Each node has counted, too, and merges what the other reports.
    await delay(500);
    await server.kill();
    for (const at of [0, 1]) expect(await send(at, 'explore')).toBe(429);
  });
});

describe('exact limits of Digest', () => {
  it('let two nodes answer no more concurrent guesses than the limit', async () => {
    for (let at = 0; at < 2; at++) await startNode(throttling(true));
    const challenge = challengeOf(await nodeAt(0).request(DIGEST));
    let count = 0;
    const send = async (at: number, password: string): Promise<number> => {
      const user = { username: 'guide', password, uri: DIGEST, nc: ++count };
      const headers = { Authorization: answerTo(challenge, user) };
      return (await nodeAt(at).request(DIGEST, { headers })).status;
    };
    const right = await Promise.all(Array.from({ length: 20 }, (_, at) => send(at, 'explore')));
    expect(right).toEqual(right.map(() => 200));
    const guesses = await Promise.all(Array.from({ length: 100 }, (_, at) => send(at, `guess${at}`)));
    expect(guesses.filter((status) => status === 401)).toHaveLength(5);
    expect(guesses.filter((status) => status === 429)).toHaveLength(95);
    for (const at of nodes.keys()) expect(await send(at, 'explore')).toBe(429);
  });
});

describe('exact limits without Redis', () => {
  it('are a warning, and apply', async () => {
    const node = await startTestPlatform({
      modules: ['cluster', ...ALL_MODULES],
      local: {
        ...sampleAuthentication,
        ...limit(true),
        'platform-mvc-auth': {
          ...(sampleAuthentication['platform-mvc-auth'] as ConfigObject),
          throttling: { exact: true },
        },
      },
    });
    nodes.push(node);
    const warnings = node.application.warnings.join('\n');
    expect(warnings).toMatch(/platform-rate-limits\.Atlas\[0\]\.exact has no effect without/);
    expect(warnings).toMatch(/platform-mvc-auth\.throttling\.exact has no effect without/);
    for (let at = 0; at < 20; at++) expect(await statusOf(node, GUESTS)).toBe(200);
    expect(await statusOf(node, GUESTS)).toBe(429);
  });
});
