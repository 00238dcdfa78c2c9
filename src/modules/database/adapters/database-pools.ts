import type { ObservedAdapter } from './observed/observed-adapter';

interface Pool {
  readonly adapter: ObservedAdapter;
  /** Applications that use it. */
  users: number;
}

/**
 * The open databases of all applications, by kind and options: a configuration reload builds a new application, which
 * takes over the connections of the old one. A database closes when no application uses it.
 */
export class DatabasePools {
  readonly #pools = new Map<string, Pool>();

  /** Returns the database with these options, opened once. Each call needs one `release`. */
  acquire(key: string, open: () => ObservedAdapter): ObservedAdapter {
    const pool = this.#pools.get(key) ?? { adapter: open(), users: 0 };
    this.#pools.set(key, pool);
    pool.users++;
    return pool.adapter;
  }

  async release(key: string): Promise<void> {
    const pool = this.#pools.get(key);
    if (pool === undefined || --pool.users > 0) return;
    this.#pools.delete(key);
    await pool.adapter.close();
  }
}
