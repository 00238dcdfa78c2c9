import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DeploymentKeys, type IssuedNonce } from '../../../src/framework';
import { RedisState } from '../../../src/modules/cluster/redis/redis-state';
import { MemoryLog } from '../../../src/testing';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';

const { describe, it } = withPrograms('redis-server');

const NODES = 3;
/** How often each count is sent again, to random nodes. */
const REPLAYS = 5;
const secret = randomBytes(32);

const random = (limit: number): number => Math.floor(Math.random() * limit);

/** A claim as an attacker would record it. */
interface Recorded {
  readonly nonce: IssuedNonce;
  readonly count: number;
}

describe('three nodes with one Redis that fails in every way', () => {
  let server: RedisServer;
  let nodes: RedisState[] = [];
  beforeAll(async () => {
    server = await RedisServer.start();
    nodes = Array.from({ length: NODES }, () => node());
    for (const one of nodes) expect(await one.connected(10_000)).toBeUndefined();
  });
  afterAll(async () => {
    for (const one of nodes) one.close();
    await server.close();
  });

  function node(): RedisState {
    const keys = new DeploymentKeys([secret]);
    return new RedisState({ url: server.url, prefix: 'faults', keys, log: new MemoryLog() });
  }

  it('accept no count twice', async () => {
    const accepted = new Map<string, number>();
    const results: Record<string, number> = { accepted: 0, used: 0, stale: 0, failed: 0 };
    const sent: Recorded[] = [];
    let isRunning = true;

    async function send({ nonce, count }: Recorded): Promise<void> {
      let result = 'failed';
      try {
        result = (await nodes[random(NODES)]?.counterFor(nonce).claim(count)) ?? 'failed';
      } catch {
        // The client gets 503.
      }
      results[result] = (results[result] ?? 0) + 1;
      const id = `${nonce.nonce} ${count}`;
      if (result === 'accepted') accepted.set(id, (accepted.get(id) ?? 0) + 1);
    }

    async function client(name: number): Promise<void> {
      for (let at = 0; isRunning; at++) {
        const issuer = nodes[random(NODES)];
        if (issuer === undefined) continue;
        const nonce = {
          nonce: `c${name}n${at}`,
          expiresAt: issuer.now() + 60_000,
          lifetime: 60_000,
          generation: issuer.generation,
        };
        const own = Array.from({ length: 20 }, (_, count) => ({ nonce, count: count + 1 }));
        sent.push(...own);
        await Promise.all(own.flatMap((one) => Array.from({ length: REPLAYS }, () => send(one))));
        // Also what was recorded long ago, before any of the faults.
        await Promise.all(
          Array.from({ length: 20 }, () => send(sent[random(sent.length)] ?? { nonce, count: 1 })),
        );
        if (results.failed !== 0) await delay(5);
      }
    }

    async function fail(): Promise<void> {
      const faults: readonly (() => unknown)[] = [
        () => server.command('FLUSHALL'),
        () => server.command('SAVE'),
        async () => {
          server.pause();
          await delay(300);
          server.resume();
        },
        async () => {
          await server.kill();
          await server.start();
        },
        () => {
          const at = random(NODES);
          nodes[at]?.close();
          nodes[at] = node();
        },
      ];
      for (let round = 0; round < 4; round++) {
        for (const fault of faults) {
          await Promise.resolve(fault());
          const until = results.accepted;
          // Until the deployment has recovered.
          while (results.accepted === until) await delay(5);
          await delay(200);
        }
      }
      isRunning = false;
    }

    await Promise.all([client(1), client(2), client(3), client(4), fail()]);
    expect([...accepted.values()].filter((times) => times > 1)).toEqual([]);
    // The history has all kinds of results, or it would prove nothing.
    for (const kind of ['accepted', 'used', 'stale', 'failed']) expect(results[kind]).toBeGreaterThan(100);
  }, 120_000);
});
