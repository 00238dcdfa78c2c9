import type { Client, Pool, PoolClient, PoolConfig, QueryResult } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigurationError } from '../../../../framework';
import type { PoolState, Row, Rows, SqlStatement } from '../database-adapter';
import { PageRows } from '../row-length';
import { needsAnotherConnection } from './postgres-errors';
import { postgresDriver, VALUE_TYPES } from './postgres-driver';

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

/** Milliseconds that a cancelled statement has to end; then its connection is closed. */
const CANCEL_TIMEOUT_MS = 1000;

const IDLE_TIMEOUT_MS = 30_000;

/** A statement, or several without parameters. */
export type Query =
  | string
  | (Pick<SqlStatement, 'text' | 'isPage'> & {
      readonly name?: string;
      readonly values?: readonly unknown[];
    });

/** The connections to a database: a pool, and another connection that is free when those are in use. */
export class Connections {
  readonly #pool: Pool;
  readonly #control: Pool;
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
    this.#control = openPool(
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
    await Promise.all([this.#pool.end(), this.#control.end()]);
  }

  readonly #cancelBackend = async (pid: number): Promise<void> => {
    try {
      await this.control('SELECT pg_cancel_backend($1)', [pid]);
    } catch (error) {
      this.#lost();
      throw error;
    }
  };
}

/** A connection that one statement or transaction uses. It is released once. */
export class Connection {
  readonly #client: PoolClient;
  readonly #cancelBackend: (pid: number) => Promise<void>;
  #running: Promise<unknown> | undefined;
  #isLost = false;
  /** That of the last statement. */
  #name: string | undefined;

  constructor(client: PoolClient, cancelBackend: (pid: number) => Promise<void>) {
    this.#client = client;
    this.#cancelBackend = cancelBackend;
  }

  /** @throws the errors of the driver */
  query(query: Query): Promise<QueryResult<Row>> {
    const config =
      typeof query === 'string' ? { text: query } : { ...query, values: [...(query.values ?? [])] };
    this.#name = typeof query === 'string' ? undefined : query.name;
    // Without a callback, the promises of the driver keep results alive until the next full garbage collection.
    const running = new Promise<QueryResult<Row>>((resolve, reject) => {
      const failed = (error: Error): void => {
        this.#isLost ||= needsAnotherConnection(error);
        reject(error);
      };
      if (typeof query !== 'string' && query.isPage === true) {
        const rows = new PageRows();
        // With a callback, as a `query_timeout` in the URL makes the driver report errors to callbacks only.
        const ended = (error: Error | undefined, result: QueryResult<Row>): void => {
          if (error) failed(error);
          else resolve({ ...result, rows: rows.read });
        };
        const page = new (postgresDriver().Query)<Row>(config, undefined, ended);
        page.on('row', (row, result) => {
          rows.add(row);
          // The driver keeps the rows for the callback.
          if (result !== undefined) result.rows.length = 0;
        });
        this.#client.query(page);
      } else {
        this.#client.query<Row>(config, (error: Error | undefined, result) => {
          if (error) failed(error);
          else resolve(result);
        });
      }
    });
    this.#running = running;
    return running;
  }

  /** Cancels the running statement, and waits until the connection can be used again or is lost. */
  async cancel(): Promise<void> {
    const running = this.#running;
    // Until the request to cancel has arrived, the connection must execute nothing else.
    const cancelled = Promise.all([
      this.#cancelBackend(pidOf(this.#client)),
      running?.catch(() => undefined),
    ]);
    const abandoned = new AbortController();
    const timeout = delay(CANCEL_TIMEOUT_MS, 'timeout', { signal: abandoned.signal, ref: false });
    timeout.catch(() => undefined);
    try {
      if ((await Promise.race([cancelled, timeout])) === 'timeout') this.discard();
    } catch {
      this.discard();
    }
    abandoned.abort();
  }

  /** Whether the last statement is one that the connection has prepared. */
  get isPrepared(): boolean {
    return this.#name !== undefined && Object.hasOwn(preparedOn(this.#client), this.#name);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Closes the connection when it is released. */
  discard(): void {
    this.#isLost = true;
  }

  release(): void {
    this.#client.release(this.#isLost);
  }
}

/** The rows of a result; with their number for an `adHoc` statement. */
export function rowsOf({ rows, rowCount }: QueryResult<Row>, statement?: SqlStatement): Rows {
  return statement?.adHoc === true ? Object.assign(rows, { affected: rowCount ?? 0 }) : rows;
}

/**
 * Settings of sessions, whatever those of the database: dates, durations and instants have one notation, and instants
 * without an offset one meaning; a backslash in a text of a statement is one. Connection poolers pass these settings on, but
 * not `bytea_output` and `extra_float_digits`.
 */
const SETTINGS =
  '-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres -c standard_conforming_strings=on';

/** @param options those of the URL or of the environment */
function withSettings(url: string, options: string | undefined): PoolConfig {
  const all = `${options ?? ''} ${SETTINGS}`.trim();
  // Those of a URL take precedence over those besides it; its last ones count.
  const connectionString = /[?&]options=/.test(url) ? `${url}&options=${encodeURIComponent(all)}` : url;
  return { connectionString, options: all };
}

function openPool(PoolClass: typeof Pool, config: PoolConfig, lost: () => void): Pool {
  const pool = new PoolClass(config);
  pool.on('error', lost);
  // While a connection is used, its statement reports that it ended; without a listener the process would end.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The process of the server that serves a connection. */
function pidOf(client: PoolClient): number {
  return (client as PoolClient & { readonly processID: number }).processID;
}

/** The statements that a connection has prepared, by name. */
function preparedOn(client: PoolClient): object {
  const { connection } = client as PoolClient & {
    readonly connection: { readonly parsedStatements: object };
  };
  return connection.parsedStatements;
}

/** URLs of servers, and of their Unix sockets. */
const URL_PATTERN = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/i;

interface Target {
  readonly host: string;
  readonly port: number;
  readonly database?: string | undefined;
  readonly options: string | undefined;
}

function parseUrl(ClientClass: typeof Client, url: string): Target {
  try {
    // The driver would take other texts for the name of a database on a host "base".
    if (!URL_PATTERN.test(url)) throw new TypeError('The URL has another scheme.');
    const client = new ClientClass({ connectionString: url });
    const { connectionParameters } = client as Client & {
      readonly connectionParameters: { readonly options?: string };
    };
    const { host, port, database } = client;
    return { host, port, database, options: connectionParameters.options };
  } catch (cause) {
    // The URL contains the password: it is not repeated.
    throw new ConfigurationError(
      'The url of a PostgresAdapter is not valid. Expected: postgres://user:password@host:5432/database',
      { cause },
    );
  }
}
