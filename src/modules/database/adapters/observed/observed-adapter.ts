import { currentRequest, isThenable, type MaybePromise } from '../../../../framework';
import { findCurrentContext } from '../../../hosting';
import type { DatabaseModel } from '../../introspection/table-model';
import type {
  BlockingOptions,
  DatabaseAdapter,
  Dialect,
  ExecutionLimits,
  ExplainOptions,
  PoolState,
  Row,
  Rows,
  ScriptOptions,
  SqlExecutor,
  SqlStatement,
  SqlValue,
} from '../database-adapter';
import { DatabaseError } from '../database-error';
import { TableWrites } from './table-writes';
import { statementChannel, type StatementMessage } from './statement-channel';

/**
 * Publishes the statements of an adapter while `apidesc:database:statement` has subscribers, and reports writes to the
 * tables that caches watch.
 */
export class ObservedAdapter implements DatabaseAdapter {
  readonly dialect: Dialect;
  readonly target: string;
  readonly #name: string;
  readonly #adapter: DatabaseAdapter;
  readonly #writes = new TableWrites();

  /** @param name the configured name */
  constructor(name: string, adapter: DatabaseAdapter) {
    this.#name = name;
    this.#adapter = adapter;
    this.dialect = adapter.dialect;
    this.target = adapter.target;
  }

  get pool(): PoolState | undefined {
    return this.#adapter.pool;
  }

  get file(): string | undefined {
    return this.#adapter.file;
  }

  get isTemporary(): boolean | undefined {
    return this.#adapter.isTemporary;
  }

  get isAvailable(): boolean | undefined {
    return this.#adapter.isAvailable;
  }

  onAvailable(listener: () => void): () => void {
    return this.#adapter.onAvailable(listener);
  }

  /**
   * Calls a listener after statements of this process that name a table in their text and may have changed it, at the
   * end of their transaction. @returns a function that removes the listener
   */
  onWrite(table: string, listener: () => void): () => void {
    return this.#writes.watch(table, listener);
  }

  execute(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits?: ExecutionLimits,
  ): MaybePromise<Rows> {
    if (statement.kind === 'write' && this.#writes.includes(statement.text))
      return this.#writes.after([statement.text], () => this.#published(statement, parameters, limits));
    return this.#published(statement, parameters, limits);
  }

  #published(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits | undefined,
  ): MaybePromise<Rows> {
    if (!statementChannel.hasSubscribers) return this.#adapter.execute(statement, parameters, limits);
    return this.#execute(this.#adapter, statement, parameters, limits);
  }

  stream(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits?: ExecutionLimits,
  ): AsyncIterable<readonly Row[]> {
    const batches = this.#adapter.stream(statement, parameters, limits);
    return statementChannel.hasSubscribers ? this.#batches(statement, batches) : batches;
  }

  transaction<T>(action: (executor: SqlExecutor) => Promise<T>, limits?: ExecutionLimits): Promise<T> {
    if (!this.#writes.areWatched) return this.#transaction(action, limits);
    const texts: string[] = [];
    const recorded = (executor: SqlExecutor): Promise<T> =>
      action({
        execute: (statement, parameters, own) => {
          if (statement.kind === 'write') texts.push(statement.text);
          return executor.execute(statement, parameters, own);
        },
      });
    return Promise.resolve(this.#writes.after(texts, () => this.#transaction(recorded, limits)));
  }

  #transaction<T>(action: (executor: SqlExecutor) => Promise<T>, limits?: ExecutionLimits): Promise<T> {
    if (!statementChannel.hasSubscribers) return this.#adapter.transaction(action, limits);
    return this.#adapter.transaction(
      (executor) =>
        action({
          execute: (statement, parameters, own) => this.#execute(executor, statement, parameters, own),
        }),
      limits,
    );
  }

  runScripts(scripts: readonly string[], options?: ScriptOptions): Promise<void> {
    return this.#adapter.runScripts(scripts, options);
  }

  explain(statement: SqlStatement, options?: ExplainOptions): Promise<readonly string[]> {
    return this.#adapter.explain(statement, options);
  }

  introspect(options?: BlockingOptions): Promise<DatabaseModel> {
    return this.#adapter.introspect(options);
  }

  close(): Promise<void> {
    return this.#adapter.close();
  }

  #execute(
    executor: SqlExecutor,
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits: ExecutionLimits | undefined,
  ): MaybePromise<Rows> {
    const publish = this.#publisher(statement);
    try {
      const rows = executor.execute(statement, parameters, limits);
      if (!isThenable(rows)) {
        publish(rows.length);
        return rows;
      }
      return rows.then(
        (settled) => {
          publish(settled.length);
          return settled;
        },
        (error: unknown) => {
          publish(undefined, error);
          throw error;
        },
      );
    } catch (error) {
      publish(undefined, error);
      throw error;
    }
  }

  async *#batches(
    statement: SqlStatement,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<readonly Row[], void> {
    const publish = this.#publisher(statement);
    let rows = 0;
    let failure: unknown;
    try {
      for await (const batch of batches) {
        rows += batch.length;
        yield batch;
      }
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      publish(failure === undefined ? rows : undefined, failure);
    }
  }

  /** Begins to measure a statement. */
  #publisher({ text }: SqlStatement): (rows: number | undefined, error?: unknown) => void {
    const { dialect } = this;
    const event = currentRequest() ?? findCurrentContext()?.event;
    const started = performance.now();
    return (rows, error) => {
      const message: StatementMessage = {
        adapter: this.#name,
        dialect,
        text,
        started,
        duration: performance.now() - started,
        rows,
        error: error instanceof DatabaseError ? error : undefined,
        event,
      };
      statementChannel.publish(message);
    };
  }
}
