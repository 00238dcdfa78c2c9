import type { Deployment } from '../../framework';
import { DeploymentKeys, MemoryState } from '../../framework';
import type { SharedCounts } from './counts/shared-counts';
import type { RedisState } from './redis/redis-state';

/**
 * The Redis connection of the process, which survives reloads: what it connects to requires a restart. It is closed with
 * the last application that has the module.
 */
export class ClusterState {
  readonly #deployment: Deployment;
  #redis: RedisState | undefined;
  #users = 0;
  /** Undefined in a worker, whose primary shares counts with other nodes. */
  readonly counts: SharedCounts | undefined;

  /** @param redis undefined for a process that shares nothing */
  constructor(deployment: Deployment, redis: RedisState | undefined, counts?: SharedCounts) {
    this.#deployment = deployment;
    this.#redis = redis;
    this.counts = counts;
  }

  /** Undefined without one, and once it is closed. */
  get redis(): RedisState | undefined {
    return this.#redis;
  }

  /** @returns releases it; to be called once */
  acquire(): () => void {
    this.#users++;
    return () => {
      if (--this.#users > 0 || this.#redis === undefined) return;
      this.counts?.close();
      this.#redis.close();
      this.#redis = undefined;
      // A reload may have removed the module: the process is on its own from then on.
      this.#deployment.use(new MemoryState(), DeploymentKeys.random());
    };
  }
}
