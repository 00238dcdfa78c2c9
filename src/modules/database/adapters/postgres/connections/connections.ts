import type { Pool, PoolConfig } from 'pg';
import type { PoolState, Row } from '../../database-adapter';
import { postgresDriver, VALUE_TYPES } from '../postgres-driver';
import { CANCEL_TIMEOUT_MS, Connection } from './connection';
import { parseUrl, withSettings } from './connection-url';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with parameters such as `sslmode`. */
  readonly url: string;
  /** The maximum number of connections; defaults to 10. */
  readonly pool?: number;
  /** Seconds; defaults to 5. */
  readonly statement_timeout?: number;
  /** Seconds after which a stream ends whose client reads nothing; defaults to 30. */
  readonly stream_timeout?: number;
}

export const DEFAULT_POOL = 10;

const IDLE_TIMEOUT_MS = 30_000;

/** The connections to a database: a pool, and two others that are free when those are in use. */
export class Connections {
  readonly #pool: Pool;
  /** One connection that reads about failed statements, whose requests wait for it as long as for any other. */
  readonly #control: Pool;
  /** One connection that cancels statements: others may have to wait for a result. */
  readonly #cancelling: Pool;
  readonly #lost: () => void;
  /** Host, port and database. */
  readonly target: string;

  /**
   * @param lost called when a connection ends that no statement uses, or the server does not respond
   * @throws ConfigurationError for an invalid URL or a missing driver
   */
  constructor({ url, pool = DEFAULT_POOL, statement_timeout = 5 }: PostgresOptions, lost: () => void) {
    const driver = postgresDriver();
    this.#lost = lost;
    const { host, port, database = '', options } = parseUrl(driver.Client, url);
    this.target = `${host}:${port}/${database}`;
    const timeout = statement_timeout * 1000;
    const config: PoolConfig = {
      ...withSettings(url, options),
      connectionTimeoutMillis: timeout,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      statement_timeout: timeout,
      keepAlive: true,
      allowExitOnIdle: true,
      types: VALUE_TYPES,
    };
    this.#pool = openPool(driver.Pool, { ...config, max: pool }, lost);
    this.#control = openPool(driver.Pool, { ...config, max: 1 }, lost);
    this.#cancelling = openPool(
      driver.Pool,
      { ...config, max: 1, connectionTimeoutMillis: CANCEL_TIMEOUT_MS },
      lost,
    );
  }

  get state(): PoolState {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { busy: totalCount - idle, idle, waiting };
  }

  /** A free connection, within the time limit. @throws the errors of the driver */
  acquire(): Promise<Connection> {
    // With a callback, as in `Connection.query`.
    return new Promise((resolve, reject) => {
      this.#pool.connect((error, client) => {
        if (client === undefined) reject(error ?? new Error('The pool returned no connection.'));
        else resolve(new Connection(client, this.#cancelBackend));
      });
    });
  }

  /** Reads few rows on the other connection. @throws the errors of the driver */
  async control(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const { rows } = await this.#control.query<Row>(text, [...values]);
    return rows;
  }

  /** Ends all connections after they are released. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#control.end(), this.#cancelling.end()]);
  }

  readonly #cancelBackend = async (pid: number): Promise<void> => {
    try {
      await this.#cancelling.query('SELECT pg_cancel_backend($1)', [pid]);
    } catch (error) {
      this.#lost();
      throw error;
    }
  };
}

function openPool(PoolClass: typeof Pool, config: PoolConfig, lost: () => void): Pool {
  const pool = new PoolClass(config);
  pool.on('error', lost);
  // While a connection is used, its statement reports that it ended; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
