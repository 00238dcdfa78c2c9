import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DeploymentKeys, DeploymentUnavailable, type IssuedNonce } from '../../../src/framework';
import { RedisState } from '../../../src/modules/cluster/redis/redis-state';
import { MemoryLog } from '../../../src/testing';
import { withPrograms } from '../../factories/processes/programs';
import { ROOT } from '../../factories/platform';
import { RedisServer } from '../../factories/processes/redis';
import { until } from '../../factories/until';

const { describe, it } = withPrograms('redis-server');

const secret = randomBytes(32);
let servers: RedisServer[] = [];
let states: RedisState[] = [];

async function start(args: readonly string[] = []): Promise<RedisServer> {
  const server = await RedisServer.start(args);
  servers.push(server);
  return server;
}

/** The state of a node, connected. */
async function join(server: RedisServer, keys = new DeploymentKeys([secret])): Promise<RedisState> {
  const state = new RedisState({ url: server.url, prefix: 'test', keys, log: new MemoryLog() });
  states.push(state);
  expect(await state.connected(10_000)).toBeUndefined();
  return state;
}

let issued = 0;
const issue = (state: RedisState, lifetime = 60_000): IssuedNonce => ({
  nonce: `nonce${issued++}`,
  expiresAt: state.now() + lifetime,
  lifetime,
  generation: state.generation,
});

/** The result of a claim; `unavailable` if there is none. */
async function claim(state: RedisState, nonce: IssuedNonce, count: number): Promise<string> {
  try {
    return await state.counterFor(nonce).claim(count);
  } catch (error) {
    if (error instanceof DeploymentUnavailable) return 'unavailable';
    throw error;
  }
}

afterEach(async () => {
  for (const state of states.splice(0)) state.close();
  for (const server of servers.splice(0)) await server.close();
  [servers, states] = [[], []];
});

describe('claims of nonce counts over Redis', () => {
  it('accept each count once, by whichever node it is claimed', async () => {
    const server = await start();
    const nodes = [await join(server), await join(server), await join(server)];
    const [first, second, third] = nodes as [RedisState, RedisState, RedisState];
    expect(new Set(nodes.map(({ generation }) => generation)).size).toBe(1);
    const nonces = [issue(first), issue(second)];
    const claims = nonces.flatMap((nonce) =>
      Array.from({ length: 600 }, (_, at) => at + 1).flatMap((count) =>
        [first, second, third, first, third].map((node) => ({ node, nonce, count })),
      ),
    );
    const results: string[] = [];
    // As many in flight as a busy server has.
    while (results.length < claims.length) {
      const batch = claims.slice(results.length, results.length + 50);
      results.push(...(await Promise.all(batch.map((one) => claim(one.node, one.nonce, one.count)))));
    }
    const accepted = claims.filter((_, at) => results[at] === 'accepted');
    expect(new Set(accepted.map(({ nonce, count }) => `${nonce.nonce} ${count}`)).size).toBe(1200);
    expect(accepted).toHaveLength(1200);
    expect(results.filter((result) => result === 'used')).toHaveLength(4800);
  });

  it('of one turn of the event loop are one command, with a result for each', async () => {
    const server = await start();
    const node = await join(server);
    const [nonce, expired] = [issue(node), issue(node, -1)];
    const commands = async (): Promise<number> => {
      const info = String(await server.command('INFO', 'commandstats'));
      return (
        Number(/cmdstat_evalsha:calls=(\d+)/.exec(info)?.[1]) +
        Number(/cmdstat_eval:calls=(\d+)/.exec(info)?.[1] ?? 0)
      );
    };
    expect(await claim(node, nonce, 1)).toBe('accepted');
    const before = await commands();
    const counts = Array.from({ length: 100 }, (_, at) => 1 + Math.floor(at / 2));
    const results = await Promise.all([
      ...counts.map((count) => claim(node, nonce, count)),
      claim(node, expired, 1),
      claim(node, { ...nonce, generation: 'another' }, 2),
    ]);
    expect(results.slice(0, 4)).toEqual(['used', 'used', 'accepted', 'used']);
    expect(results.filter((one) => one === 'accepted')).toHaveLength(49);
    expect(results.slice(-2)).toEqual(['stale', 'stale']);
    // A check of the connection may be among them.
    expect((await commands()) - before).toBeLessThanOrEqual(3);
  });

  it('accept counts in any order, up to the highest', async () => {
    const node = await join(await start());
    // One counter, as for the requests of a client.
    const counter = node.counterFor(issue(node));
    const results: string[] = [];
    for (const count of [0xffff_ffff, 1, 256, 255, 512, 0xffff_ffff, 1, 256])
      results.push(await counter.claim(count));
    expect(results).toEqual([...Array.from({ length: 5 }, () => 'accepted'), 'used', 'used', 'used']);
  });

  it('keep bitmaps of 256 counts, which expire after their nonce', async () => {
    const server = await start();
    const node = await join(server);
    const nonce = issue(node);
    await claim(node, nonce, 256);
    const key = `test:${node.generation}:n:${nonce.nonce}:1`;
    expect(await server.command('KEYS', '*:n:*')).toEqual([key]);
    // By a minute: the clock of the server may be set back.
    expect(Number(await server.command('PEXPIRETIME', key))).toBe(Math.ceil(nonce.expiresAt) + 60_000);
    expect(await server.command('STRLEN', key)).toBe(1);
  });

  it('refuse a nonce that has expired by the clock of the server, whose bitmap may be gone', async () => {
    const server = await start();
    const node = await join(server);
    const nonce = issue(node, 300);
    expect(await claim(node, nonce, 1)).toBe('accepted');
    await until(async () => (await claim(node, nonce, 2)) === 'stale');
    await server.command('DEL', `test:${node.generation}:n:${nonce.nonce}:0`);
    expect(await claim(node, nonce, 1)).toBe('stale');
  });

  it('belong to their prefix: deployments share a server', async () => {
    const server = await start();
    const node = await join(server);
    const other = new RedisState({
      url: server.url,
      prefix: 'other',
      keys: DeploymentKeys.random(),
      log: new MemoryLog(),
    });
    states.push(other);
    expect(await other.connected(10_000)).toBeUndefined();
    expect(other.generation).not.toBe(node.generation);
  });
});

describe('nonces whose used counts may be lost', () => {
  it('are stale after FLUSHALL on every node, and new nonces are accepted at once', async () => {
    const server = await start();
    const [first, second] = [await join(server), await join(server)];
    const nonce = issue(first);
    expect(await claim(first, nonce, 1)).toBe('accepted');
    await server.command('FLUSHALL');
    expect(await claim(second, nonce, 1)).toBe('stale');
    expect(await claim(second, issue(second), 1)).toBe('accepted');
    expect(await claim(first, nonce, 1)).toBe('stale');
    await until(() => first.generation === second.generation);
    expect(await claim(first, nonce, 1)).toBe('stale');
    expect(await claim(first, issue(first), 1)).toBe('accepted');
  });

  it('are stale after a restart, even if it restores an earlier state with their generation', async () => {
    const server = await start();
    const node = await join(server);
    const nonce = issue(node);
    expect(await claim(node, nonce, 1)).toBe('accepted');
    await server.command('SAVE');
    expect(await claim(node, nonce, 2)).toBe('accepted');
    const { generation } = node;
    await server.kill();
    await until(() => !node.isAvailable);
    expect(await claim(node, nonce, 2)).toBe('unavailable');
    await server.start();
    await until(() => node.isAvailable);
    expect(await claim(node, nonce, 2)).toBe('stale');
    expect(node.generation).not.toBe(generation);
    expect(await claim(node, issue(node), 1)).toBe('accepted');
  });

  it('are stale after its clock was set back, by which their bitmaps may be gone', async () => {
    const server = await start();
    const [first, second] = [await join(server), await join(server)];
    const nonce = issue(first);
    expect(await claim(first, nonce, 1)).toBe('accepted');
    const clockWas = async (seconds: number): Promise<void> => {
      const latest = Math.round(first.now() / 1_000) + seconds;
      await server.command('HSET', 'test:generation', 'seen', `${latest}`);
    };
    // Bitmaps live longer than that.
    await clockWas(20);
    await first.link.check();
    expect(await claim(second, nonce, 2)).toBe('accepted');
    await clockWas(90);
    await server.command('DEL', `test:${nonce.generation}:n:${nonce.nonce}:0`);
    expect(await claim(first, nonce, 1)).toBe('stale');
    await until(() => second.generation !== nonce.generation);
    expect(await claim(second, nonce, 1)).toBe('stale');
    expect(await claim(second, issue(second), 1)).toBe('accepted');
    expect(first.generation).toBe(second.generation);
  });

  it('are stale on a replica that was promoted, and on the old server that follows it', async () => {
    const [primary, replica] = [await start(), await start()];
    await replica.command('REPLICAOF', '127.0.0.1', `${primary.port}`);
    const node = await join(primary);
    const nonce = issue(node);
    expect(await claim(node, nonce, 1)).toBe('accepted');
    await until(async () => ((await replica.command('KEYS', '*:n:*')) as string[]).length === 1);
    // What the primary does from now on is lost.
    primary.pause();
    await replica.command('REPLICAOF', 'NO', 'ONE');
    const moved = await join(replica);
    expect(moved.generation).not.toBe(nonce.generation);
    expect(await claim(moved, nonce, 2)).toBe('stale');
    const next = issue(moved);
    expect(await claim(moved, next, 1)).toBe('accepted');
    // A node that still reaches the old server does not know nonces of the new generation.
    primary.resume();
    expect(await claim(node, next, 1)).toBe('stale');
    await primary.command('REPLICAOF', '127.0.0.1', `${replica.port}`);
    await until(() => !node.isAvailable);
    expect(await claim(node, nonce, 1)).toBe('unavailable');
  });
});

describe('claims while Redis does not respond', () => {
  it('fail, at once after the first ones, and succeed again when it responds', async () => {
    const server = await start();
    const node = await join(server);
    const nonce = issue(node);
    server.pause();
    const counts = Array.from({ length: 20 }, (_, at) => at + 1);
    const results = await Promise.all(counts.map((count) => claim(node, nonce, count)));
    expect(new Set(results)).toEqual(new Set(['unavailable']));
    expect(node.isAvailable).toBe(false);
    // Nothing is sent: the memory of a process must not grow while its commands wait.
    const before = node.totals.failed;
    for (let count = 1000; count < 6000; count++) await claim(node, nonce, count);
    expect(node.totals.failed - before).toBe(5000);
    server.resume();
    await until(() => node.isAvailable);
    expect(await claim(node, nonce, 5000)).toBe('accepted');
    expect(await server.command('KEYS', '*:n:*')).not.toContain(`test:${node.generation}:n:${nonce.nonce}:7`);
  });

  it('are not waited for by an application that is built while Redis has been out of reach for longer', async () => {
    const server = await start();
    const node = await join(server);
    await server.kill();
    await until(() => !node.isAvailable);
    await delay(150);
    const later = new Promise((resolve) => setImmediate(resolve, 'later'));
    expect(await Promise.race([node.connected(100), later])).toMatch(/closed|ECONNREFUSED/);
    const waited = node.connected(60_000);
    await server.start();
    expect(await waited).toBeUndefined();
  });

  it('fail with a reason that does not name options of the driver, if the connection ends before the reply', async () => {
    const server = await start();
    const node = await join(server);
    server.pause();
    const result = Promise.resolve(node.counterFor(issue(node)).claim(1)).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await server.kill();
    const error = await result;
    expect(error).toHaveProperty('message', 'Redis cannot be reached: the connection was closed');
    // A log would append its message, which names them.
    expect(error).not.toHaveProperty('cause');
  });

  it('are accepted again, and so are new applications, once Redis accepts the user again', async () => {
    const server = await start();
    const node = await join(server);
    await server.command('CONFIG', 'SET', 'requirepass', 'secret');
    await server.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until(() => node.link.reason.startsWith('NOAUTH'));
    await expect(node.connected(100)).rejects.toThrow('refuses the user or the password');
    await server.command('CONFIG', 'SET', 'requirepass', '');
    await until(() => node.isAvailable);
    expect(await node.connected(100)).toBeUndefined();
    expect(await claim(node, issue(node), 1)).toBe('accepted');
  });

  it('fail without memory for another bitmap, and nothing else is accepted instead', async () => {
    const server = await start();
    const node = await join(server);
    const nonce = issue(node);
    expect(await claim(node, nonce, 1)).toBe('accepted');
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await claim(node, nonce, 2)).toBe('unavailable');
    // It stays so, and is not reported for each request.
    await expect(node.link.check()).rejects.toThrow('OOM');
    expect(node.isAvailable).toBe(false);
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    await until(() => node.isAvailable);
    expect(await claim(node, nonce, 1)).toBe('used');
    expect(await claim(node, nonce, 2)).toBe('accepted');
  });
});

describe('a deployment key that is being replaced', () => {
  it('is known with the previous one, also if Redis was cleared meanwhile', async () => {
    const server = await start();
    const next = randomBytes(32);
    await join(server, new DeploymentKeys([next, secret]));
    const previous = new DeploymentKeys([secret]);
    await join(server, previous);
    await join(server, new DeploymentKeys([next]));
    await expect(join(server, previous)).rejects.toThrow('have another key');
  });
});

it('a user with the documented permissions suffices', async () => {
  const guide = readFileSync(path.join(ROOT, 'docs/guides/scaling.md'), 'utf8');
  const commands = /commands\s+`(\+@[^`]+)`/.exec(guide)?.[1] ?? '';
  const server = await start(['--user', ...`node on >pass ~test:* &test:messages ${commands}`.split(' ')]);
  const url = server.url.replace('//', '//node:pass@');
  const state = new RedisState({
    url,
    prefix: 'test',
    keys: new DeploymentKeys([secret]),
    log: new MemoryLog(),
  });
  states.push(state);
  expect(await state.connected(10_000)).toBeUndefined();
  const counter = state.counterFor(issue(state));
  expect([await counter.claim(1), await counter.claim(1)]).toEqual(['accepted', 'used']);
  expect(state.isAvailable).toBe(true);
});
