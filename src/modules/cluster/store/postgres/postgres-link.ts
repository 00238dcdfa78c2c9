import type * as Pg from 'pg';
import { ConfigurationUnavailable, errorMessage, requirePackage } from '../../../../framework';

/** Milliseconds that connecting may take. */
const CONNECT_TIMEOUT = 3_000;
/** Milliseconds that a statement may take. */
const QUERY_TIMEOUT = 5_000;

/** A row, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs statements inside of a transaction. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export interface LinkOptions {
  readonly url: string;
  /** The channel to listen on. */
  readonly channel: string;
  /** Called on each new connection, before anything else. */
  readonly prepare: (query: Query) => Promise<void>;
  readonly notified: () => void;
}

/** One connection to PostgreSQL, which is made again at the next use after it was lost. */
export class PostgresLink {
  readonly #options: LinkOptions;
  readonly #driver: typeof Pg;
  #client: Promise<Pg.Client> | undefined;
  /** One transaction at a time. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** Does not connect yet. @throws ConfigurationError if the driver is not installed */
  constructor(options: LinkOptions) {
    this.#driver = requirePackage('pg', 'platform-cluster.postgres.url') as typeof Pg;
    this.#options = options;
  }

  /**
   * Runs a task in a transaction.
   * @throws ConfigurationUnavailable if the server cannot be reached, or fails
   */
  transaction<T>(task: (query: Query) => Promise<T>): Promise<T> {
    const result = this.#last.then(() => this.#transaction(task));
    this.#last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drop();
  }

  async #transaction<T>(task: (query: Query) => Promise<T>): Promise<T> {
    try {
      const client = await this.#connected();
      const query = queryOf(client);
      await query('BEGIN');
      const result = await task(query);
      await query('COMMIT');
      return result;
    } catch (error) {
      // Whatever it is, a new connection has no open transaction.
      await this.#drop();
      throw new ConfigurationUnavailable(`PostgreSQL cannot be used: ${reasonOf(error)}`, { cause: error });
    }
  }

  #connected(): Promise<Pg.Client> {
    if (this.#isClosed) return Promise.reject(new Error('the connection was closed'));
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Pg.Client> {
    const { url, channel, prepare, notified } = this.#options;
    const client = new this.#driver.Client({
      connectionString: url,
      application_name: 'apidesc-platform configuration',
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      query_timeout: QUERY_TIMEOUT,
      statement_timeout: QUERY_TIMEOUT,
      lock_timeout: QUERY_TIMEOUT,
      keepAlive: true,
    });
    client.on('error', () => void this.#drop(client));
    client.on('end', () => void this.#drop(client));
    client.on('notification', notified);
    try {
      await client.connect();
      await prepare(queryOf(client));
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      return client;
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  }

  /** @param only drops it if it is the current one */
  async #drop(only?: Pg.Client): Promise<void> {
    const current = this.#client;
    if (current === undefined) return;
    const client = await current.catch(() => undefined);
    if (this.#client !== current || (only !== undefined && client !== only)) return;
    this.#client = undefined;
    client?.removeAllListeners('notification');
    client?.end().catch(() => undefined);
  }
}

function queryOf(client: Pg.Client): Query {
  return async (text, values = []) => (await client.query<Row>(text, [...values])).rows;
}

/** An AggregateError of several addresses has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return errorMessage(error);
}
