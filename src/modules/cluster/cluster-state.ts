import type { Deployment } from '../../framework';
import { DeploymentKeys, MemoryState } from '../../framework';
import type { SharedCounts } from './counts/shared-counts';
import type { RedisState } from './redis/redis-state';

/** What a process shares with others. */
export interface ClusterConnection {
  readonly redis: RedisState;
  /** Undefined in a worker, whose primary shares counts with other nodes. */
  readonly counts: SharedCounts | undefined;
}

/**
 * The Redis connection of the process, which survives reloads: what it connects to requires a restart. It is closed with
 * the last application that has the module.
 */
export class ClusterState {
  readonly #deployment: Deployment;
  #connection: ClusterConnection | undefined;
  #users = 0;
  #wasUsed = false;

  constructor(deployment: Deployment) {
    this.#deployment = deployment;
  }

  /** Undefined without one, and once it is closed. */
  get redis(): RedisState | undefined {
    return this.#connection?.redis;
  }

  get counts(): SharedCounts | undefined {
    return this.#connection?.counts;
  }

  /**
   * @param isStarting whether the process has served nothing yet: if its first application cannot be built, the next one
   *   connects again
   * @param connect returns undefined for a process that shares nothing
   * @returns releases it; to be called once
   */
  acquire(isStarting: boolean, connect: () => ClusterConnection | undefined): () => void {
    if (this.#users === 0 && (isStarting || !this.#wasUsed)) this.#connection = connect();
    this.#wasUsed = true;
    this.#users++;
    return () => {
      if (--this.#users > 0 || this.#connection === undefined) return;
      this.#connection.counts?.close();
      this.#connection.redis.close();
      this.#connection = undefined;
      // A reload may have removed the module: the process is on its own from then on.
      this.#deployment.use(new MemoryState(), DeploymentKeys.random());
    };
  }
}
