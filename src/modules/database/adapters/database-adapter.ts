import type { MaybePromise } from '../../../framework';
import type { DatabaseModel } from '../introspection/table-model';

/** A value of a statement parameter. Booleans, dates and JSON are converted by the codec of their column first. */
export type SqlValue = null | string | number | bigint | Uint8Array;

/** A row as the driver returns it, by column name or alias. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of a statement. */
export interface Rows extends ReadonlyArray<Row> {
  /** The number of rows that an `adHoc` statement has changed or returned, where the driver reports it. */
  readonly affected?: number;
}

export type Dialect = 'sqlite' | 'postgres';

/** A compiled statement. It is created once per query shape and reused, so that drivers can prepare it once. */
export interface SqlStatement {
  /** With `?` (SQLite) or `$1` (PostgreSQL) for parameters. */
  readonly text: string;
  readonly kind: 'read' | 'write';
  /** The row limit of the statement, if it has one; a driver may prepare accordingly. */
  readonly single?: boolean;
  /** Whether rows that do not fit on a page need not be read, where each one takes time. */
  readonly isPage?: boolean;
  /**
   * Of a page of rows: statements whose rows, one after the other, are those of `text`, with the numbers of their parameters,
   * which follow one another. The last parameter of each is the row limit of the page. An adapter may execute them instead
   * of `text`, with the number of rows that the page still lacks as row limit, if they read one state of the database.
   */
  readonly parts?: readonly { readonly text: string; readonly parameters: number }[];
  /** Composed for few executions: drivers do not prepare it. */
  readonly adHoc?: boolean;
  /** Of a write: throws for rows that cannot be returned, before they are committed. In a transaction, its action calls it. */
  readonly check?: (rows: readonly Row[]) => void;
}

/** Limits for one execution. */
export interface ExecutionLimits {
  /** Aborted when the client disconnects or the timeout of the operation ends: the statement is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the signal is aborted, for limits that create their signal when it is read. */
  readonly isAborted?: boolean;
  /**
   * Of a transaction that is repeated after a conflict: it waits for each lock of others for less than the time limit of
   * a statement, and then ends with a conflict rather than a timeout.
   */
  readonly isRepeated?: boolean;
  /**
   * Of a transaction whose statements a client composes (`writes`): from the moment at which it may keep others from
   * writing, all of them together have the time limit of one statement. Of one that waits for code of authors (`whole`): from
   * its beginning, since it keeps a connection.
   */
  readonly bound?: 'writes' | 'whole';
}

/** Executes statements: an adapter outside of transactions, or one transaction. */
export interface SqlExecutor {
  /**
   * Executes a statement and returns its rows, those of `RETURNING` for writes. Synchronous where the driver allows
   * it and the statement cannot take long.
   * @throws DatabaseError, always of this class
   */
  execute(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits?: ExecutionLimits,
  ): MaybePromise<Rows>;
}

/** Numbers of connections, and of requests that wait for one. */
export interface PoolState {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Under which circumstances an adapter works. */
export interface BlockingOptions {
  /** Whether the platform serves nothing yet: what takes some milliseconds may block the process, and waits may be longer. */
  readonly mayBlock?: boolean;
}

/** How an adapter runs scripts. */
export interface ScriptOptions extends BlockingOptions {
  /**
   * SQLite: foreign keys are checked before the commit only, and have no actions such as `ON DELETE CASCADE`, which
   * `DROP TABLE` would trigger (https://sqlite.org/lang_altertable.html#otheralter). PostgreSQL needs it for nothing.
   */
  readonly areForeignKeysOff?: boolean;
}

/** How an adapter plans a statement that it explains. */
export interface ExplainOptions {
  /** SQLite: without what `ANALYZE` has found in the tables. PostgreSQL prefers indexes in any case. */
  readonly withoutStatistics?: boolean;
  /**
   * PostgreSQL: what indexes are preferred for, since it would read a small table as a whole. A condition on a column
   * that is not the first of an ordered index is a `Filter` of the plan, as all of the index is read for it.
   */
  readonly purpose?: 'filter' | 'order' | undefined;
}

/** A connection pool or an embedded database. It survives configuration reloads. */
export interface DatabaseAdapter extends SqlExecutor {
  readonly dialect: Dialect;
  /** Where it connects to, without credentials, for messages: a file, or host, port and database. */
  readonly target: string;
  /**
   * Reads any number of rows with flat memory, in batches; ending the iteration releases the connection. A database
   * may limit the number of streams, and how long the reader takes nothing.
   * @throws DatabaseError
   */
  stream(
    statement: SqlStatement,
    parameters: readonly SqlValue[],
    limits?: ExecutionLimits,
  ): AsyncIterable<readonly Row[]>;
  /** Runs an action in a transaction: commits, or rolls back if it throws or one of its statements failed. */
  transaction<T>(action: (executor: SqlExecutor) => Promise<T>, limits?: ExecutionLimits): Promise<T>;
  /**
   * Executes scripts of one or several statements without parameters, for migrations, in one transaction with a lock
   * that excludes other scripts, also those of other processes.
   * @throws ScriptError
   */
  runScripts(scripts: readonly string[], options?: ScriptOptions): Promise<void>;
  /** Returns the statement's plan as lines of text; empty if the database is not available. */
  explain(statement: SqlStatement, options?: ExplainOptions): Promise<readonly string[]>;
  /** Reads tables and views. @throws DatabaseError */
  introspect(options?: BlockingOptions): Promise<DatabaseModel>;
  /** The state of the connection pool, if it has one. */
  readonly pool?: PoolState | undefined;
  /** The file of an embedded database, which is not that of messages if it is temporary. */
  readonly file?: string | undefined;
  /** Whether it is an empty database that is deleted when it is closed, in place of one that does not exist. */
  readonly isTemporary?: boolean | undefined;
  /** Whether the last use succeeded; undefined before the first. */
  readonly isAvailable: boolean | undefined;
  /** Calls a listener each time the database becomes available after a failure. @returns a function that removes it */
  onAvailable(listener: () => void): () => void;
  /** Ends all connections after the running statements. */
  close(): Promise<void>;
}
