import { randomBytes } from 'node:crypto';
import { DeploymentKeys, SharedState } from '../../../src/framework';
import { SharedCounts } from '../../../src/modules/cluster/counts/shared-counts';
import { RedisState } from '../../../src/modules/cluster/redis/redis-state';
import { RateLimitState, ThrottleState } from '../../../src/modules/mvc-auth';
import { MemoryLog } from '../../../src/testing';
import { RedisServer } from './redis';

const secret = randomBytes(32);

/** The limit of the tests: 100 within 60 s. */
export const LIMIT = { name: 'Atlas:user:60', window: 60, limit: 100 } as const;

/** What a node counts. */
export class CountingNode {
  readonly state: RedisState;
  readonly shared: SharedCounts;
  readonly limits: RateLimitState;
  readonly failures: ThrottleState['counts'];

  constructor(server: RedisServer) {
    const sharedState = new SharedState();
    this.limits = sharedState.getOrCreate(RateLimitState, () => new RateLimitState());
    this.failures = sharedState.getOrCreate(ThrottleState, () => new ThrottleState()).counts;
    const keys = new DeploymentKeys([secret]);
    this.state = new RedisState({ url: server.url, prefix: 'test', keys, log: new MemoryLog() });
    this.shared = new SharedCounts(this.state, sharedState, 'test');
  }

  use(client: string, weight = 1): void {
    this.limits.usageOf(LIMIT.name, LIMIT.window).add(client, weight);
  }

  used(client: string): number {
    return LIMIT.limit - this.limits.usageOf(LIMIT.name, LIMIT.window).quota(client, LIMIT.limit).remaining;
  }

  failed(key: string): number {
    return this.failures.of(key, 60).count;
  }

  close(): void {
    this.shared.close();
    this.state.close();
  }
}

/** Redis servers, and the nodes that count with them. */
export class CountingNodes {
  readonly #servers: RedisServer[] = [];
  readonly #nodes: CountingNode[] = [];

  async server(): Promise<RedisServer> {
    const server = await RedisServer.start();
    this.#servers.push(server);
    return server;
  }

  /** A node that is yet to connect. */
  create(server: RedisServer): CountingNode {
    const node = new CountingNode(server);
    this.#nodes.push(node);
    return node;
  }

  /** A node that knows the counts of the others. */
  async start(server: RedisServer): Promise<CountingNode> {
    const node = this.create(server);
    expect(await node.state.connected(10_000)).toBeUndefined();
    await node.shared.learned(10_000);
    return node;
  }

  async close(): Promise<void> {
    for (const node of this.#nodes.splice(0)) node.close();
    for (const server of this.#servers.splice(0)) await server.close();
  }
}
