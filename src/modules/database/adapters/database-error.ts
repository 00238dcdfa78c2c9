import type { ExecutionLimits } from './database-adapter';

/** Why a statement failed, in the terms that decide the response. */
export type DatabaseErrorKind =
  | 'unique'
  | 'foreign_key'
  | 'not_null'
  | 'check'
  | 'too_long'
  /** A value that the column's type cannot hold, such as an integer out of range. */
  | 'invalid_value'
  /** Serialization failures and deadlocks: one retry may succeed. */
  | 'conflict'
  /** The statement was cancelled, or exceeded its time limit. */
  | 'timeout'
  /** No connection, or none became free in time. */
  | 'unavailable'
  /** The statement does not fit the database: a missing table or column. The service is out of date. */
  | 'schema'
  | 'unknown';

/** A failed statement. The message and the cause are for the log only. */
export class DatabaseError extends Error {
  readonly kind: DatabaseErrorKind;
  /** The columns that the error is about, as far as the database names them. */
  readonly columns: readonly string[];
  /** The name of the violated constraint, if the database names it. */
  readonly constraint: string | undefined;

  constructor(
    kind: DatabaseErrorKind,
    message: string,
    {
      columns = [],
      constraint,
      cause,
    }: {
      readonly columns?: readonly string[];
      readonly constraint?: string | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause });
    this.name = 'DatabaseError';
    this.kind = kind;
    this.columns = columns;
    this.constraint = constraint;
  }
}

/**
 * A late write must not take effect. Reading the signal of a request creates it, which takes longer than a short
 * statement.
 *
 * @throws DatabaseError if the execution is cancelled
 */
export function assertNotAborted(limits: ExecutionLimits): void {
  if (limits.isAborted ?? limits.signal?.aborted)
    throw new DatabaseError('timeout', 'The statement was cancelled.');
}
