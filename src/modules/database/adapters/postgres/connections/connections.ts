import type { Pool, PoolConfig } from 'pg';
import type { PoolState, Row } from '../../database-adapter';
import { postgresDriver, VALUE_TYPES } from '../postgres-driver';
import { DatabaseError } from '../../database-error';
import { Deadline } from '../deadline';
import { hasTooManyConnections, isOutage } from '../postgres-errors';
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

/**
 * Milliseconds after the time limit at which the driver ends the wait for a connection. {@link Deadline} ends it before that:
 * the timers of the driver do not read what arrived while the process was busy.
 */
const DRIVER_GRACE_MS = 1000;

const CANCEL = 'SELECT pg_cancel_backend($1)';

/** The connections to a database: a pool, and two others that are free when those are in use. */
export class Connections {
  readonly #pool: Pool;
  /** One connection that reads about failed statements, whose requests wait for it as long as for any other. */
  readonly #control: Pool;
  /** One connection that cancels statements: others may have to wait for a result. */
  readonly #cancelling: Pool;
  readonly #lost: () => void;
  /** Milliseconds. */
  readonly #timeout: number;
  /** Host, port and database. */
  readonly target: string;

  /**
   * @param lost called when a connection ends that no statement uses, or the server does not respond
   * @param key names the URL in errors
   * @throws ConfigurationError for an invalid URL or a missing driver
   */
  constructor(
    { url, pool = DEFAULT_POOL, statement_timeout = 5 }: PostgresOptions,
    lost: () => void,
    key: string,
  ) {
    const driver = postgresDriver();
    this.#lost = lost;
    const { host, port, database = '', options } = parseUrl(driver.Client, url, key);
    this.target = `${host}:${port}/${database}`;
    const timeout = statement_timeout * 1000;
    this.#timeout = timeout;
    const config: PoolConfig = {
      ...withSettings(url, options),
      connectionTimeoutMillis: timeout + DRIVER_GRACE_MS,
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
      { ...config, max: 1, connectionTimeoutMillis: CANCEL_TIMEOUT_MS + DRIVER_GRACE_MS },
      lost,
    );
  }

  get state(): PoolState {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { busy: totalCount - idle, idle, waiting };
  }

  /** A free connection. @throws the errors of the driver; DatabaseError at the deadline */
  acquire(deadline: Deadline): Promise<Connection> {
    return this.#acquire(this.#pool, deadline);
  }

  /** Reads few rows on the other connection. @throws the errors of the driver, DatabaseError */
  control(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#query(this.#control, this.#timeout, text, values);
  }

  /** Ends all connections after they are released. */
  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#control.end(), this.#cancelling.end()]);
  }

  #acquire(pool: Pool, deadline: Deadline): Promise<Connection> {
    // With a callback, as in `Connection.query`.
    const acquired = new Promise<Connection>((resolve, reject) => {
      pool.connect((error, client) => {
        if (client === undefined) reject(error ?? new Error('The pool returned no connection.'));
        else resolve(new Connection(client, this.#cancelBackend));
      });
    });
    // What is acquired after the deadline is returned.
    const abandon = (): void => {
      acquired.then(
        (late) => late.release(),
        (error: unknown) => {
          if (isOutage(error)) this.#lost();
        },
      );
    };
    return deadline.wait(acquired, abandon, noConnection);
  }

  /** Executes a query on the connection of a pool, which is closed if it does not respond. */
  async #query(
    pool: Pool,
    timeout: number,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    const connection = await this.#acquire(pool, new Deadline({}, timeout));
    try {
      const query = connection.query({ text, values });
      return (await new Deadline({}, timeout).wait(query, () => connection.discard())).rows;
    } finally {
      connection.release();
    }
  }

  readonly #cancelBackend = async (pid: number): Promise<void> => {
    try {
      await this.#query(this.#cancelling, CANCEL_TIMEOUT_MS, CANCEL, [pid]);
    } catch (error) {
      if (hasTooManyConnections(error)) {
        await this.#query(this.#control, CANCEL_TIMEOUT_MS, CANCEL, [pid]);
        return;
      }
      if (isOutage(error)) this.#lost();
      throw error;
    }
  };
}

function noConnection(): DatabaseError {
  return new DatabaseError('unavailable', 'No connection was available within the time limit.');
}

function openPool(PoolClass: typeof Pool, config: PoolConfig, lost: () => void): Pool {
  const pool = new PoolClass(config);
  pool.on('error', lost);
  // While a connection is used, its statement reports that it ended; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
