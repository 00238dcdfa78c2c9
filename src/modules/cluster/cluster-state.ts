import type { RedisState } from './redis/redis-state';

/**
 * The Redis connection of the process, which survives reloads: what it connects to requires a restart. It is closed with
 * the last application.
 */
export class ClusterState {
  readonly redis: RedisState | undefined;
  #users = 0;

  /** @param redis undefined for a process that shares nothing */
  constructor(redis: RedisState | undefined) {
    this.redis = redis;
  }

  /** @returns releases it; to be called once */
  acquire(): () => void {
    this.#users++;
    return () => {
      if (--this.#users === 0) this.redis?.close();
    };
  }
}
