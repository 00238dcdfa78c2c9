import type { DatabaseModel } from '../../introspection/table-model';
import { Availability } from '../availability/availability';
import type {
  BlockingOptions,
  DatabaseAdapter,
  ExecutionLimits,
  ExplainOptions,
  PoolState,
  Row,
  Rows,
  SqlExecutor,
  SqlStatement,
  SqlValue,
} from '../database-adapter';
import { assertNotAborted, DatabaseError, withProbe } from '../database-error';
import { rowsOf, type Query } from './connections/connection';
import { ConnectionUse, query } from './connections/connection-use';
import { Connections, DEFAULT_POOL, type PostgresOptions } from './connections/connections';
import { ConstraintColumns } from './constraint-columns';
import { beginIntrospection } from './introspection/introspection-transaction';
import { introspectPostgres } from './introspection/postgres-introspection';
import {
  conflictOf,
  failureOf,
  isFormerType,
  isInterruption,
  isOutage,
  isStalePreparedStatement,
  toDatabaseError,
} from './postgres-errors';
import { StreamLimits } from '../stream-limits';
import { runScripts } from './postgres-scripts';
import { streamRows } from './postgres-stream';
import { StatementNames } from './statement-names';
import { planOf } from './statement-plan';
import { Deadline } from './deadline';
import { runTransaction, type TransactionHost } from './postgres-transaction';

/** A PostgreSQL database, through a pool of connections. */
export class PostgresAdapter implements DatabaseAdapter {
  readonly dialect = 'postgres';
  readonly target: string;
  readonly #connections: Connections;
  readonly #timeout: number;
  readonly #streams: StreamLimits;
  readonly #availability = new Availability(() =>
    this.#use({}, (use, deadline) => query(use, deadline, 'SELECT 1')),
  );
  readonly #constraintColumns: ConstraintColumns;
  readonly #names = new StatementNames();
  #isClosed = false;

  /**
   * @param urlKey names the URL in errors, such as by its key in the configuration
   * @throws ConfigurationError for an invalid URL or a missing driver
   */
  constructor(options: PostgresOptions, urlKey = 'The url of a PostgresAdapter') {
    this.#connections = new Connections(options, () => this.#availability.failed(), urlKey);
    this.#constraintColumns = new ConstraintColumns((text, values) =>
      this.#connections.control(text, values),
    );
    this.#timeout = (options.statement_timeout ?? 5) * 1000;
    // Other requests need connections too.
    this.#streams = new StreamLimits((options.pool ?? DEFAULT_POOL) / 2, options.stream_timeout);
    this.target = this.#connections.target;
  }

  get pool(): PoolState {
    return this.#connections.state;
  }

  get isAvailable(): boolean | undefined {
    return this.#availability.isAvailable;
  }

  onAvailable(listener: () => void): () => void {
    return this.#availability.onAvailable(listener);
  }

  async execute(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits = {},
  ): Promise<Rows> {
    if (statement.kind === 'write') assertNotAborted(limits);
    const result = await this.#use(
      limits,
      (use, deadline) => query(use, deadline, this.#prepared(statement, parameters)),
      statement.kind === 'write',
    );
    return rowsOf(result, statement);
  }

  stream(
    { text }: SqlStatement,
    values: readonly SqlValue[],
    limits: ExecutionLimits = {},
  ): AsyncGenerator<readonly Row[], void> {
    return this.#streams.limit(() => this.#batches({ text, values }, limits));
  }

  async transaction<T>(
    action: (executor: SqlExecutor) => Promise<T>,
    limits: ExecutionLimits = {},
  ): Promise<T> {
    const host = await this.#host(limits);
    return runTransaction(action, limits, {
      ...host,
      prepare: (statement, parameters) => this.#prepared(statement, parameters),
      failed: (error, isChange) =>
        this.#isStale(error, host.use) ? Promise.resolve(conflictOf(error)) : host.failed(error, isChange),
    });
  }

  async runScripts(scripts: readonly string[]): Promise<void> {
    await runScripts(scripts, await this.#host({}));
  }

  async explain({ text }: SqlStatement, options?: ExplainOptions): Promise<readonly string[]> {
    try {
      return await this.#use({}, (use, deadline) => planOf(use, deadline, text, options));
    } catch (error) {
      if (error instanceof DatabaseError && error.kind === 'unavailable') return [];
      throw error;
    }
  }

  async introspect({ mayBlock = false }: BlockingOptions = {}): Promise<DatabaseModel> {
    const use = await this.#acquire(new Deadline({}, this.#timeout));
    try {
      const tables = await introspectPostgres(await beginIntrospection(use, this.#timeout, mayBlock));
      this.#availability.succeeded();
      this.#names.renewFor(tables);
      return tables;
    } catch (error) {
      throw await this.#failed(error);
    } finally {
      use.end('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#availability.close();
    await this.#connections.close();
  }

  async *#batches(
    statement: { readonly text: string; readonly values: readonly SqlValue[] },
    limits: ExecutionLimits,
  ): AsyncGenerator<readonly Row[], void> {
    yield* streamRows(statement, limits, await this.#host(limits));
  }

  /** A connection for several statements, and what they report. @throws DatabaseError */
  async #host(limits: ExecutionLimits): Promise<Omit<TransactionHost, 'prepare'>> {
    const use = await this.#acquire(new Deadline(limits, this.#timeout));
    return {
      use,
      timeout: this.#timeout,
      succeeded: () => this.#availability.succeeded(),
      failed: (error, isChange) => {
        // As in `#use`: the transaction is over.
        use.end('ROLLBACK');
        return this.#failed(error, isChange);
      },
    };
  }

  /**
   * Runs queries on a connection.
   * @param isChange whether they change data
   * @throws DatabaseError
   */
  async #use<T>(
    limits: ExecutionLimits,
    run: (use: ConnectionUse, deadline: Deadline) => Promise<T>,
    isChange = false,
  ): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      const deadline = new Deadline(limits, this.#timeout);
      const use = await this.#acquire(deadline);
      try {
        const result = await run(use, deadline);
        this.#availability.succeeded();
        return result;
      } catch (error) {
        if (!this.#isStale(error, use) || isRetry) {
          // What reads about the error may have to wait.
          use.end();
          throw await this.#failed(error, isChange);
        }
      } finally {
        use.end();
      }
    }
  }

  /** Whether a prepared statement made a use fail: it is prepared again, also on the other connections. */
  #isStale(error: unknown, use: ConnectionUse): boolean {
    const isOfType = use.connection.isPrepared && isFormerType(error);
    if (!isOfType && !isStalePreparedStatement(error)) return false;
    use.connection.discard();
    this.#names.renew();
    return true;
  }

  /** @throws DatabaseError */
  async #acquire(deadline: Deadline): Promise<ConnectionUse> {
    try {
      return new ConnectionUse(await this.#connections.acquire(deadline));
    } catch (error) {
      throw await this.#failed(error);
    }
  }

  /** @param isChange whether a change was sent, which may have been made without a result */
  async #failed(error: unknown, isChange = false): Promise<DatabaseError> {
    if (isOutage(error) && !this.#isClosed) this.#availability.failed();
    const failure = toDatabaseError(error);
    if (isChange && isInterruption(error))
      return new DatabaseError('interrupted', failure.message, { cause: error });
    if (failure.columns.length > 0 || failure === error) return failure;
    const columns = await this.#constraintColumns.of(failureOf(error));
    return columns === undefined ? withProbe(failure, this.#probe) : toDatabaseError(error, columns);
  }

  /** @throws DatabaseError */
  readonly #probe = async (text: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
    try {
      return await this.#connections.control(text, values);
    } catch (error) {
      throw toDatabaseError(error);
    }
  };

  #prepared(statement: SqlStatement, values: readonly SqlValue[]): Query {
    const { text, adHoc = false, isPage = false } = statement;
    if (adHoc) return { text, values };
    const name = this.#names.nameOf(statement);
    return name === undefined ? { text, isPage, values } : { text, isPage, name, values };
  }
}
