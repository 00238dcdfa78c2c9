import { statSync } from 'node:fs';
import type { MaybePromise } from '../../../../framework';
import type { DatabaseModel } from '../../introspection/table-model';
import { Availability } from '../availability';
import type {
  DatabaseAdapter,
  ExecutionLimits,
  Row,
  ScriptOptions,
  SqlExecutor,
  SqlStatement,
  SqlValue,
} from '../database-adapter';
import { assertNotAborted, DatabaseError, withProbe } from '../database-error';
import { ScriptError } from '../script-error';
import { assertStorable } from '../storable-value';
import { StreamLimits } from '../stream-limits';
import { retryWhileBusy } from './busy-retry';
import { assertDriver, MainConnection } from './main-connection';
import { failureOf, isBusy, isFileFailure, isReadOnly, toDatabaseError } from './sqlite-errors';
import { introspectSqlite } from './sqlite-introspection';
import type { RequestLimits } from './threads/thread-client';
import { runTransaction } from './sqlite-transaction';
import { streamBatches } from './sqlite-stream';
import { reading, type ThreadRequest } from './threads/thread-messages';
import { ThreadPool } from './threads/thread-pool';
import { WriteQueue } from './write-queue';

export interface SqliteOptions {
  /** An absolute path. The file and its folder are created if they do not exist. */
  readonly file: string;
  /** Seconds; defaults to 5. */
  readonly statement_timeout?: number;
  /** Seconds after which a stream ends whose client reads nothing; defaults to 30. */
  readonly stream_timeout?: number;
}

/** Writes of the main thread after which a thread copies the write-ahead log into the database. */
const CHECKPOINT_WRITES = 500;

/** Milliseconds for reading the tables: a busy machine is slow at the start. */
const INTROSPECTION_LIMITS: RequestLimits = { signal: undefined, timeout: 30_000 };

/** How long scripts wait for other processes. */
const SCRIPT_LOCK: RequestLimits = { timeout: 60_000 };

/** Each open stream has a connection. */
const MAX_STREAMS = 32;

/**
 * An embedded SQLite database. Statements that read few rows run on the main thread, where they take microseconds;
 * those that may read many, streams, scripts and transactions run in worker threads.
 */
export class SqliteAdapter implements DatabaseAdapter {
  readonly dialect = 'sqlite';
  readonly target: string;
  readonly #timeout: number;
  readonly #streams: StreamLimits;
  readonly #writes = new WriteQueue();
  readonly #availability = new Availability(async () => this.execute(PROBE, []));
  #threads: ThreadPool;
  #main: MainConnection | undefined;
  #writesSinceCheckpoint = 0;
  #cursors = 0;
  #isClosed = false;

  /** @throws ConfigurationError if this version of Node.js has no SQLite, and no package replaces it */
  constructor({ file, statement_timeout = 5, stream_timeout }: SqliteOptions) {
    assertDriver();
    this.target = file;
    this.#timeout = statement_timeout * 1000;
    this.#streams = new StreamLimits(MAX_STREAMS, stream_timeout);
    this.#threads = new ThreadPool(file);
  }

  get isAvailable(): boolean | undefined {
    return this.#availability.isAvailable;
  }

  onAvailable(listener: () => void): () => void {
    return this.#availability.onAvailable(listener);
  }

  execute(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits = {},
  ): MaybePromise<readonly Row[]> {
    if (statement.kind === 'write') assertNotAborted(limits);
    assertStorable(parameters);
    try {
      const main = this.#connect();
      if (main.isScan(statement)) return this.#executeInThread(statement, parameters, limits);
      // A write of the main thread would find the database locked.
      if (statement.kind === 'read' || !this.#writes.isHeld)
        return this.#executeHere(main, statement, parameters);
    } catch (error) {
      if (!isBusy(failureOf(error))) throw this.#failed(error, statement.text);
    }
    return this.#executeLater(statement, parameters, limits);
  }

  stream(
    { text }: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits = {},
  ): AsyncGenerator<readonly Row[], void> {
    const thread = this.#threads.reader;
    const send = (request: ThreadRequest): Promise<readonly Row[]> =>
      this.#settled(limits, (remaining) => thread.request(request, remaining));
    const open = { type: 'open', cursor: ++this.#cursors, text, parameters } as const;
    return this.#streams.limit(() => streamBatches(open, thread, send));
  }

  transaction<T>(action: (executor: SqlExecutor) => Promise<T>, limits: ExecutionLimits = {}): Promise<T> {
    const queued = this.#limits(limits);
    return this.#writes.run(() => {
      const send = (request: ThreadRequest, own: ExecutionLimits): Promise<readonly Row[]> =>
        this.#settled(
          own,
          (remaining) => this.#threads.writer.request(request, remaining),
          'text' in request ? request.text : undefined,
        );
      return runTransaction(action, send, limits);
    }, queued);
  }

  async runScripts(
    scripts: readonly string[],
    { areForeignKeysOff = false }: ScriptOptions = {},
  ): Promise<void> {
    const request = { type: 'scripts', scripts, areForeignKeysOff } as const;
    await this.#writes.run(async () => {
      try {
        this.#connect();
        await retryWhileBusy(() => this.#threads.writer.request(request), SCRIPT_LOCK);
        this.#availability.succeeded();
      } catch (error) {
        const { script } = failureOf(error);
        const failure = this.#failed(error);
        throw script === undefined ? failure : new ScriptError(failure, script);
      }
    }, SCRIPT_LOCK);
  }

  explain(statement: SqlStatement): Promise<readonly string[]> {
    try {
      return Promise.resolve(this.#connect().explain(statement));
    } catch (error) {
      const failure = this.#failed(error, statement.text);
      return failure.kind === 'unavailable' ? Promise.resolve([]) : Promise.reject(failure);
    }
  }

  introspect(): Promise<DatabaseModel> {
    const read = (text: string) => this.#threads.reader.request(reading(text), INTROSPECTION_LIMITS);
    return introspectSqlite((text) =>
      this.#settled({}, () => this.#connect().schemaRows(text) ?? read(text)),
    );
  }

  async close(): Promise<void> {
    this.#availability.close();
    await this.#writes.run(async () => {
      await this.#emptyLog();
      await this.#threads.close();
    }, {});
    this.#isClosed = true;
    this.#main?.close();
    this.#main = undefined;
  }

  #executeHere(
    main: MainConnection,
    statement: SqlStatement,
    parameters: readonly SqlValue[],
  ): readonly Row[] {
    const rows = main.execute(statement, parameters);
    this.#availability.succeeded();
    if (statement.kind === 'write') this.#checkpointIfDue();
    return rows;
  }

  #executeLater(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits,
  ): Promise<readonly Row[]> {
    const execute = (): Promise<readonly Row[]> =>
      this.#settled(limits, () => this.#executeHere(this.#connect(), statement, parameters), statement.text);
    return statement.kind === 'read' ? execute() : this.#writes.run(execute, this.#limits(limits));
  }

  #executeInThread(
    { text, kind }: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits,
  ): Promise<readonly Row[]> {
    assertNotAborted(limits);
    const isWrite = kind === 'write';
    const request = { type: 'execute', text, parameters, mode: kind } as const;
    const thread = isWrite ? this.#threads.writer : this.#threads.reader;
    const execute = (): Promise<readonly Row[]> =>
      this.#settled(limits, (remaining) => thread.request(request, remaining), text);
    return isWrite ? this.#writes.run(execute, this.#limits(limits)) : execute();
  }

  /** Repeats an action while the database is locked, and reports whether the database could be used. */
  async #settled<T>(
    limits: ExecutionLimits,
    action: (limits: RequestLimits) => T | Promise<T>,
    text?: string,
  ): Promise<T> {
    try {
      const result = await retryWhileBusy((remaining) => {
        this.#connect();
        return action(remaining);
      }, this.#limits(limits));
      this.#availability.succeeded();
      return result;
    } catch (error) {
      throw this.#failed(error, text);
    }
  }

  #limits({ signal }: ExecutionLimits): RequestLimits {
    return { signal, timeout: this.#timeout };
  }

  /** @throws the errors of SQLite and of the system */
  #connect(): MainConnection {
    if (this.#isClosed) throw new DatabaseError('unavailable', `The adapter of ${this.target} is closed.`);
    if (this.#main?.isReplaced() === true) this.#disconnect(this.#main);
    return (this.#main ??= new MainConnection(this.target));
  }

  /** What is written to a file that was replaced would be lost. Its transactions and streams fail. */
  #disconnect(main: MainConnection): void {
    main.close();
    this.#main = undefined;
    void this.#threads.close();
    this.#threads = new ThreadPool(this.target);
  }

  #failed(error: unknown, text = ''): DatabaseError {
    const failure = toDatabaseError(error, this.#main?.failedRule(text));
    const isUnopened = this.#main === undefined && !this.#isClosed;
    if (isUnopened || isFileFailure(failureOf(error))) this.#availability.failed();
    // A connection to a file that could not be written when it was opened never writes: the next use opens it again.
    if (failure.kind === 'unwritable' && isReadOnly(failureOf(error)) && this.#main !== undefined)
      this.#disconnect(this.#main);
    // Such as a folder that cannot be created.
    if (!isUnopened || failure.kind === 'unavailable')
      return withProbe(failure, (query, values) => this.execute({ text: query, kind: 'read' }, values));
    return new DatabaseError('unavailable', failure.message, { cause: error });
  }

  /**
   * Moves everything from the write-ahead log into the file, so that the file alone is the database. SQLite does so
   * when the last connection closes, but the package keeps connections open whose statements are not collected yet.
   */
  async #emptyLog(): Promise<void> {
    if (this.#main === undefined) return;
    const size = statSync(`${this.target}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0) return;
    await this.#threads.writer.request({ type: 'checkpoint', mode: 'TRUNCATE' }).catch(() => undefined);
  }

  /** A commit that copies the log waits for the disk: the thread does that. */
  #checkpointIfDue(): void {
    if (++this.#writesSinceCheckpoint < CHECKPOINT_WRITES) return;
    this.#writesSinceCheckpoint = 0;
    this.#threads.writer.request({ type: 'checkpoint', mode: 'PASSIVE' }).catch(() => undefined);
  }
}

const PROBE: SqlStatement = { text: 'SELECT 1', kind: 'read', single: true };
