import type { MaybePromise } from '../../../framework';
import type { ExecutionLimits, Row, SqlValue } from './database-adapter';

/** Why a statement failed, in the terms that decide the response. */
export type DatabaseErrorKind =
  | 'unique'
  | 'foreign_key'
  | 'not_null'
  | 'check'
  | 'too_long'
  /** A value that the column's type cannot hold, such as an integer out of range. */
  | 'invalid_value'
  /** Serialization failures, deadlocks and changes of the table: one retry may succeed. */
  | 'conflict'
  /** The statement was cancelled, or exceeded its time limit. */
  | 'timeout'
  /** Nothing can be written: the disk is full, or the file system is read-only. */
  | 'unwritable'
  /** A change was sent, and its result did not arrive: it may have been made. */
  | 'interrupted'
  /** No connection, or none became free in time. */
  | 'unavailable'
  /** The statement does not match the database: a missing table or column. The service is out of date. */
  | 'schema'
  /** A stored value that JavaScript would round: its column is not what the service takes it for. */
  | 'unreadable'
  | 'unknown';

/** Executes a query about a failed statement. @throws DatabaseError */
export type Probe = (text: string, parameters: readonly SqlValue[]) => MaybePromise<readonly Row[]>;

/** A failed statement. The message and the cause are for the log only. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;
  /** The columns that the error is about, as far as the database names them. */
  readonly columns: readonly string[];
  /** The name of the violated constraint, if the database names it. */
  readonly constraint: string | undefined;
  /** Of a foreign key: whether the row that others refer to was changed; undefined if the database does not say. */
  readonly isReferenced: boolean | undefined;
  /** The key of a unique index with an expression: `lower(email)`. */
  readonly expression: string | undefined;
  /**
   * Reads in the state in which the statement failed, to find out which value it is about; undefined where the database
   * names the columns, or cannot be asked.
   */
  readonly probe: Probe | undefined;
  /** Milliseconds that a transaction may take, if it took longer. */
  readonly limit: number | undefined;

  constructor(
    kind: DatabaseErrorKind,
    message: string,
    {
      columns = [],
      constraint,
      isReferenced,
      expression,
      probe,
      limit,
      cause,
    }: {
      readonly columns?: readonly string[];
      readonly constraint?: string | undefined;
      readonly isReferenced?: boolean | undefined;
      readonly expression?: string | undefined;
      readonly probe?: Probe | undefined;
      readonly limit?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.name = 'DatabaseError';
    this.kind = kind;
    this.columns = columns;
    this.constraint = constraint;
    this.isReferenced = isReferenced;
    this.expression = expression;
    this.probe = probe;
    this.limit = limit;
  }
}

/** Failures about a value, of which databases do not always name the column. */
const PROBED: readonly DatabaseErrorKind[] = ['foreign_key', 'check', 'too_long', 'invalid_value'];

/** The same error with what reads about it, if it is about a value and names no column. */
export function withProbe(error: DatabaseError, probe: Probe): DatabaseError {
  const { kind, message, columns, constraint, isReferenced, cause } = error;
  if (columns.length > 0 || !PROBED.includes(kind)) return error;
  return new DatabaseError(kind, message, { columns, constraint, isReferenced, probe, cause });
}

/**
 * A late write must not take effect. Reading the signal of a request creates it, which takes longer than a short
 * statement.
 *
 * @throws DatabaseError if the execution is cancelled
 */
export function assertNotAborted(limits: ExecutionLimits): void {
  if (limits.isAborted ?? limits.signal?.aborted) throw cancelled();
}

/** The error of a statement or a transaction whose signal was aborted. Its cause has the name that tells so. */
export function cancelled(what: 'statement' | 'transaction' = 'statement'): DatabaseError {
  const cause = Object.assign(new Error('Its signal was aborted.'), { name: 'AbortError' });
  return new DatabaseError('timeout', `The ${what} was cancelled.`, { cause });
}
