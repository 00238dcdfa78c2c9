import type { MaybePromise } from '../../../../framework';
import type { DatabaseModel } from '../../introspection/table-model';
import { Availability } from '../availability/availability';
import type {
  BlockingOptions,
  DatabaseAdapter,
  ExecutionLimits,
  ExplainOptions,
  Row,
  ScriptOptions,
  SqlExecutor,
  SqlStatement,
  SqlValue,
} from '../database-adapter';
import { assertNotAborted } from '../database-error';
import { ScriptError } from '../script-error';
import { assertStorable } from '../storable-value';
import { StreamLimits } from '../stream-limits';
import { WriteQueue } from '../write-queue';
import { retryWhileBusy } from './busy-retry';
import { DatabaseFile } from './file/database-file';
import { WriteAheadLog } from './file/write-ahead-log';
import { assertDriver, type MainConnection } from './main-connection';
import { failureOf, isBusy } from './sqlite-failure';
import { introspectSqlite } from './schema/sqlite-introspection';
import type { RequestLimits, ThreadClient } from './threads/thread-client';
import { runTransaction } from './sqlite-transaction';
import { streamBatches } from './sqlite-stream';
import { reading, type ThreadRequest } from './threads/thread-messages';

export interface SqliteOptions {
  /** An absolute path. The file and its folder are created if they do not exist. */
  readonly file: string;
  /** Seconds; defaults to 5. */
  readonly statement_timeout?: number;
  /** Seconds after which a stream ends whose client reads nothing; defaults to 30. */
  readonly stream_timeout?: number;
}

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
  readonly isTemporary: boolean = false;
  readonly target: string;
  readonly file: string;
  readonly #timeout: number;
  readonly #streams: StreamLimits;
  readonly #writes = new WriteQueue();
  readonly #availability = new Availability(async () => this.execute(PROBE, []));
  readonly #file: DatabaseFile;
  readonly #log: WriteAheadLog;
  #cursors = 0;

  /**
   * @param target the file for messages
   * @throws ConfigurationError if this version of Node.js has no SQLite, and no package replaces it
   */
  constructor({ file, statement_timeout = 5, stream_timeout }: SqliteOptions, target = file) {
    assertDriver();
    this.target = target;
    this.file = file;
    this.#timeout = statement_timeout * 1000;
    this.#streams = new StreamLimits(MAX_STREAMS, stream_timeout);
    this.#file = new DatabaseFile(file, this.#availability, this);
    this.#log = new WriteAheadLog(this.#file);
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
      const main = this.#file.connect();
      if (main.isScan(statement)) return this.#executeInThread(statement, parameters, limits);
      // A write of the main thread would find the database locked.
      if (statement.kind === 'read' || !this.#writes.isHeld)
        return this.#executeHere(main, statement, parameters);
    } catch (error) {
      if (!isBusy(failureOf(error))) throw this.#file.failed(error, statement.text);
    }
    return this.#executeLater(statement, parameters, limits);
  }

  stream(
    { text }: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits = {},
  ): AsyncGenerator<readonly Row[], void> {
    // Chosen when the file is in use: those of a file that has been replaced since are closed.
    let thread: ThreadClient | undefined;
    const send = (request: ThreadRequest): Promise<readonly Row[]> =>
      this.#file.use(this.#limits(limits), (remaining) =>
        (thread ??= this.#file.threads.reader).request(request, remaining),
      );
    const open = { type: 'open', cursor: ++this.#cursors, text, parameters } as const;
    const release = (request: ThreadRequest): void => {
      thread?.request(request).catch(() => undefined);
    };
    return this.#streams.limit(() => streamBatches(open, send, release));
  }

  transaction<T>(action: (executor: SqlExecutor) => Promise<T>, limits: ExecutionLimits = {}): Promise<T> {
    const queued = this.#limits(limits);
    return this.#writes.run(() => {
      const send = (
        request: ThreadRequest,
        { signal, timeout = this.#timeout }: RequestLimits,
      ): Promise<readonly Row[]> =>
        this.#file.use(
          { signal, timeout },
          (remaining) => this.#file.threads.writer.request(request, remaining),
          'text' in request ? request.text : undefined,
        );
      return runTransaction(action, send, limits, this.#timeout);
    }, queued);
  }

  async runScripts(
    scripts: readonly string[],
    { areForeignKeysOff = false, mayBlock = false }: ScriptOptions = {},
  ): Promise<void> {
    const request = { type: 'scripts', scripts, areForeignKeysOff } as const;
    await this.#writes.run(async () => {
      try {
        await retryWhileBusy(async () => {
          const main = this.#file.connect();
          if (!mayBlock || !main.fill(request)) await this.#file.threads.writer.request(request);
        }, SCRIPT_LOCK);
        this.#availability.succeeded();
      } catch (error) {
        const { script } = failureOf(error);
        const failure = this.#file.failed(error);
        throw script === undefined ? failure : new ScriptError(failure, script);
      }
    }, SCRIPT_LOCK);
  }

  explain(statement: SqlStatement, options?: ExplainOptions): Promise<readonly string[]> {
    try {
      return Promise.resolve(this.#file.connect().explain(statement, options));
    } catch (error) {
      const failure = this.#file.failed(error, statement.text);
      return failure.kind === 'unavailable' ? Promise.resolve([]) : Promise.reject(failure);
    }
  }

  introspect(options: BlockingOptions = {}): Promise<DatabaseModel> {
    const read = (text: string) => this.#file.threads.reader.request(reading(text), INTROSPECTION_LIMITS);
    return introspectSqlite((text) =>
      this.#file.use(this.#limits({}), () => this.#file.connect().schemaRows(text, options) ?? read(text)),
    );
  }

  async close(): Promise<void> {
    this.#availability.close();
    await this.#writes.run(async () => {
      await this.#log.empty();
      await this.#file.threads.close();
    }, {});
    this.#file.close();
  }

  #executeHere(
    main: MainConnection,
    statement: SqlStatement,
    parameters: readonly SqlValue[],
  ): readonly Row[] {
    const rows = main.execute(statement, parameters);
    this.#availability.succeeded();
    if (statement.kind === 'write') this.#log.written();
    return rows;
  }

  #executeLater(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits,
  ): Promise<readonly Row[]> {
    const execute = (): Promise<readonly Row[]> =>
      this.#file.use(
        this.#limits(limits),
        () => this.#executeHere(this.#file.connect(), statement, parameters),
        statement.text,
      );
    return statement.kind === 'read' ? execute() : this.#writes.run(execute, this.#limits(limits));
  }

  #executeInThread(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits,
  ): Promise<readonly Row[]> {
    const { text, kind, isPage = false, check } = statement;
    assertNotAborted(limits);
    if (check !== undefined)
      return this.transaction(async (executor) => {
        const rows = await executor.execute(statement, parameters);
        check(rows);
        return rows;
      }, limits);
    const isWrite = kind === 'write';
    const request = { type: 'execute', text, parameters, mode: kind, isPage } as const;
    const execute = (): Promise<readonly Row[]> =>
      this.#file.use(
        this.#limits(limits),
        (remaining) => {
          const { threads } = this.#file;
          return (isWrite ? threads.writer : threads.reader).request(request, remaining);
        },
        text,
      );
    return isWrite ? this.#writes.run(execute, this.#limits(limits)) : execute();
  }

  #limits({ signal }: ExecutionLimits): RequestLimits {
    return { signal, timeout: this.#timeout };
  }
}

const PROBE: SqlStatement = { text: 'SELECT 1', kind: 'read', single: true };
