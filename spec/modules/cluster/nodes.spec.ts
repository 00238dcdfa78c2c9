import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ConfigObject } from '../../../src/framework';
import { readinessOf } from '../../../src/modules/operations/port/readiness';
import { answerTo, challengeOf, DigestClient } from '../../factories/sign-in/digest-client';
import {
  ALL_MODULES,
  sampleAuthentication,
  startTestPlatform,
  type TestPlatform,
} from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { basic } from '../../factories/http/requests';

const { describe, it } = withPrograms('redis-server');

/** An operation that only users of Digest may call, and one for users of Basic. */
const DIGEST = '/v2/atlas/visits';
const BASIC = '/v1/atlas/visits';
const GUESTS = '/v2/atlas/countries';
const KEY = 'k'.repeat(32);

describe('two nodes with one Redis', () => {
  let server: RedisServer;
  let nodes: TestPlatform[] = [];
  beforeAll(async () => {
    server = await RedisServer.start();
    nodes = [await startNode(), await startNode()];
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await server.close();
  });

  function startNode(cluster: ConfigObject = {}): Promise<TestPlatform> {
    return startTestPlatform({
      modules: ['cluster', ...ALL_MODULES],
      local: {
        ...sampleAuthentication,
        'platform-cluster': { redis: { url: server.url }, deployment_key: KEY, ...cluster },
      },
    });
  }

  const nodeAt = (at: number): TestPlatform => {
    const node = nodes[at];
    if (node === undefined) throw new Error('The node was not started.');
    return node;
  };
  const a = (): TestPlatform => nodeAt(0);
  const b = (): TestPlatform => nodeAt(1);
  const statusOf = async (node: TestPlatform, path: string, authorization = ''): Promise<number> => {
    const headers = authorization === '' ? {} : { Authorization: authorization };
    return (await node.request(path, { headers })).status;
  };
  const digestOf = (node: TestPlatform): readonly string[] =>
    readinessOf(false, node.application.dependencies).body.degraded;

  /** Answers a challenge. */
  function answer(challenge: string, nc: number, password = 'explore'): string {
    return answerTo(challenge, { username: 'guide', password, method: 'GET', uri: DIGEST, nc });
  }
  async function challengeFrom(node: TestPlatform): Promise<string> {
    const challenges = challengeOf(await node.request(DIGEST));
    return challenges.slice(challenges.indexOf('Digest '));
  }

  it('accept a nonce from the other one, and each of its counts once', async () => {
    const challenge = await challengeFrom(a());
    expect(await statusOf(b(), DIGEST, answer(challenge, 1))).toBe(200);
    const replayed = await a().request(DIGEST, { headers: { Authorization: answer(challenge, 1) } });
    expect(replayed.status).toBe(401);
    expect(replayed.headers.get('www-authenticate')).toContain('stale=true');
    expect(await statusOf(b(), DIGEST, answer(challenge, 1))).toBe(401);
    expect(await statusOf(a(), DIGEST, answer(challenge, 2))).toBe(200);
  });

  it('share no counts for wrong passwords', async () => {
    const challenge = await challengeFrom(a());
    expect(await statusOf(a(), DIGEST, answer(challenge, 1, 'wrong'))).toBe(401);
    expect(await statusOf(b(), DIGEST, answer(challenge, 1))).toBe(200);
  });

  it('keep nonces and counts after a reload', async () => {
    const challenge = await challengeFrom(a());
    expect(await statusOf(a(), DIGEST, answer(challenge, 1))).toBe(200);
    await a().host.reload();
    expect(await statusOf(a(), DIGEST, answer(challenge, 1))).toBe(401);
    expect(await statusOf(a(), DIGEST, answer(challenge, 2))).toBe(200);
  });

  it('count alone once a reload has removed the module, until a restart', async () => {
    const node = await startNode();
    const modules = (names: readonly string[]): void =>
      writeFileSync(path.join(node.root, 'config/application.json'), JSON.stringify({ modules: names }));
    try {
      modules(ALL_MODULES);
      const local = path.join(node.root, 'config/autoload/local.json');
      const before = readFileSync(local, 'utf8');
      writeFileSync(local, JSON.stringify(sampleAuthentication));
      await node.host.reload();
      expect((await new DigestClient().fetch(node.origin + DIGEST)).status).toBe(200);
      modules(['cluster', ...ALL_MODULES]);
      writeFileSync(local, before);
      await node.host.reload();
      expect(node.application.warnings).toEqual([
        'platform-cluster.redis.url takes effect when the service is restarted.',
      ]);
      expect((await new DigestClient().fetch(node.origin + DIGEST)).status).toBe(200);
    } finally {
      await node.stop();
    }
  });

  it('serve everything but Digest while Redis does not respond, and Digest again when it does', async () => {
    const client = new DigestClient();
    expect((await client.fetch(a().origin + DIGEST)).status).toBe(200);
    server.pause();
    try {
      const refused = await client.fetch(a().origin + DIGEST);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('cache-control')).toBe('no-store');
      expect(((await refused.json()) as { detail: string }).detail).toContain('Try again later');
      expect(digestOf(a())).toEqual(['redis']);
      expect(await statusOf(a(), BASIC, basic('guide', 'explore'))).toBe(200);
      expect(await statusOf(a(), GUESTS)).toBe(200);
      // A wrong password never reaches the state.
      const challenge = await challengeFrom(a());
      expect(await statusOf(a(), DIGEST, answer(challenge, 1, 'wrong'))).toBe(401);
      // A reload keeps the connection and does not wait for it for long.
      await a().host.reload();
      expect(digestOf(a())).toEqual(['redis']);
    } finally {
      server.resume();
    }
    while (digestOf(a()).length > 0) await delay(10);
    expect((await client.fetch(a().origin + DIGEST)).status).toBe(200);
  });

  it('challenge again after Redis was cleared, and accept the answer', async () => {
    const challenge = await challengeFrom(a());
    expect(await statusOf(a(), DIGEST, answer(challenge, 1))).toBe(200);
    await server.command('FLUSHALL');
    const stale = await a().request(DIGEST, { headers: { Authorization: answer(challenge, 1) } });
    expect(stale.status).toBe(401);
    const next = challengeOf(stale);
    expect(next).toContain('stale=true');
    expect(await statusOf(a(), DIGEST, answer(next.slice(next.indexOf('Digest ')), 1))).toBe(200);
  });

  it('start without Redis, and connect when it is there', async () => {
    await server.kill();
    const node = await startNode();
    try {
      expect(node.application.warnings).toEqual([
        expect.stringMatching(/^Redis cannot be reached: .*ECONNREFUSED/),
      ]);
      expect(await statusOf(node, GUESTS)).toBe(200);
      expect(await statusOf(node, DIGEST, answer(await challengeFrom(node), 1))).toBe(503);
      await server.start();
      while (digestOf(node).length > 0) await delay(10);
      const client = new DigestClient();
      expect((await client.fetch(node.origin + DIGEST)).status).toBe(200);
    } finally {
      await node.stop();
      await server.start();
    }
  });

  it('respond 503 to nonces of each other that none of them can accept, and not with further challenges', async () => {
    await server.kill();
    const started = [await startNode(), await startNode()] as const;
    try {
      const challenge = await challengeFrom(started[0]);
      expect(await statusOf(started[1], DIGEST, answer(challenge, 1))).toBe(503);
      expect(await statusOf(started[1], DIGEST, answer(challenge, 1, 'wrong'))).toBe(401);
    } finally {
      for (const node of started) await node.stop();
      await server.start();
    }
  });

  it('accept nonces of the previous deployment key, and refuse a node with another one', async () => {
    while (digestOf(b()).length > 0) await delay(10);
    const challenge = await challengeFrom(b());
    await expect(startNode({ deployment_key: 'x'.repeat(32) })).rejects.toThrow(
      'platform-cluster.deployment_key: the nodes that use the prefix "apidesc-platform" on this Redis have another key.',
    );
    const rotated = await startNode({ deployment_key: ['x'.repeat(32), KEY] });
    try {
      expect(await statusOf(rotated, DIGEST, answer(challenge, 1))).toBe(200);
      expect(await statusOf(b(), DIGEST, answer(challenge, 1))).toBe(401);
      // Nodes that run with the old key continue until they are restarted.
      expect(await statusOf(b(), DIGEST, answer(challenge, 2))).toBe(200);
      // One that ends meanwhile starts again.
      await (await startNode()).stop();
      await (await startNode({ deployment_key: 'x'.repeat(32) })).stop();
      await expect(startNode()).rejects.toThrow('have another key');
    } finally {
      await rotated.stop();
    }
  });
});
