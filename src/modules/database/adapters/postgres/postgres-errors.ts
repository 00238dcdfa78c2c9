import { DatabaseError, type DatabaseErrorKind } from '../database-error';

/** The members of an error that the server reported. */
export interface PostgresFailure {
  readonly message: string;
  /** SQLSTATE, or the code of a system error. */
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  readonly constraint?: string | undefined;
  /** The function of the server that reported it. */
  readonly routine?: string | undefined;
  /** From 1, in the characters of the statement. */
  readonly position?: string | undefined;
  /** The function or trigger in which it occurred. */
  readonly where?: string | undefined;
}

/** read_only_sql_transaction */
const READ_ONLY = '25006';

/** By SQLSTATE (PostgreSQL, Appendix A), with the classes they belong to as the default. */
const KINDS: Readonly<Record<string, DatabaseErrorKind>> = {
  '23505': 'unique',
  '23P01': 'unique', // exclusion_violation
  '23503': 'foreign_key',
  '23001': 'foreign_key', // restrict_violation
  '23502': 'not_null',
  '23514': 'check',
  '44000': 'check', // with_check_option_violation
  P0: 'check', // raise_exception, no_data_found: a rule of the database
  '22001': 'too_long',
  '22': 'invalid_value',
  '54000': 'too_long', // program_limit_exceeded, such as an index entry
  '40': 'conflict', // serialization_failure, deadlock_detected
  '55P03': 'conflict', // lock_not_available
  '57014': 'timeout', // query_canceled
  '57': 'unavailable', // admin_shutdown, crash_shutdown, cannot_connect_now
  '08': 'unavailable', // connection exceptions
  '28': 'unavailable', // invalid_authorization_specification
  '3D000': 'unavailable', // invalid_catalog_name: no such database
  '53100': 'unwritable', // disk_full
  '53': 'unavailable', // too_many_connections
  '58': 'unavailable', // system errors
  XX: 'unavailable', // internal errors, damaged data
  [READ_ONLY]: 'unavailable', // a standby
  '25P03': 'unavailable', // idle_in_transaction_session_timeout
  '0A': 'schema', // feature_not_supported, such as a write to a view
  '3F': 'schema',
  '42601': 'unknown', // syntax_error
  '42': 'schema', // undefined_table, undefined_column, insufficient_privilege
  '55000': 'schema', // object_not_in_prerequisite_state: a view that is not updatable
};

/** Messages of the driver about a connection, which has no SQLSTATE. */
const CONNECTION =
  /^Connection terminated|^timeout exceeded when trying|not queryable|^Client (?:has|was)|^The server does not support SSL|pool after calling end/;

/** Not `EPIPE`, which is a code of the system. */
const SQLSTATE = /^(?!E[A-Z]{4}$)[0-9A-Z]{5}$/;

/** The classes of SQLSTATE that PostgreSQL uses (Appendix A). Those of any others are rules of the database. */
const SERVER_CLASS = /^(?:0[0-389ABFLPZ]|10|2[0-8BDF]|3[489BDF]|4[024]|5[34578]|72|F0|HV|P0|XX)/;

/**
 * Converts an error of the driver.
 *
 * @param columns of the violated constraint, where the error does not name them
 */
export function toDatabaseError(error: unknown, columns?: readonly string[]): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const failure = failureOf(error);
  const { code, constraint, column } = failure;
  const message = failure.message || `The connection failed: ${code ?? 'unknown'}`;
  const key = keyIn(failure.detail);
  const named = column === undefined ? keyColumns(key) : [column];
  const kind = kindOf(failure);
  return new DatabaseError(kind, message, {
    columns: named.length > 0 ? named : (columns ?? []),
    constraint,
    isReferenced: kind === 'foreign_key' ? isReferenced(message) : undefined,
    expression: kind === 'unique' && named.length === 0 ? key : undefined,
    cause: error,
  });
}

/** The error of a statement that has to be prepared again: another transaction has changed its table, and all can be repeated. */
export function conflictOf(error: unknown): DatabaseError {
  return new DatabaseError('conflict', failureOf(error).message, { cause: error });
}

export function failureOf(error: unknown): PostgresFailure {
  return typeof error === 'object' && error !== null
    ? (error as PostgresFailure)
    : { message: String(error) };
}

/** The SQLSTATE of a failed statement. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? failureOf(error.cause ?? {}).code : undefined;
}

/** Returns the offset in the statement that an error is about, if the server reports it. */
export function offsetOf(error: unknown): number | undefined {
  const position = Number(failureOf(error).position);
  return Number.isInteger(position) && position > 0 ? position - 1 : undefined;
}

/** Whether the connection is lost, or none could be established, rather than a statement failed. */
function isConnectionFailure(error: unknown): boolean {
  const { code, message } = failureOf(error);
  if (code !== undefined && SQLSTATE.test(code)) return /^(?:08|28|57P|3D000|53300)/.test(code);
  return isSystemError(code) || CONNECTION.test(message);
}

/**
 * Whether a statement may succeed on another connection: this one is lost, or leads to a server that was demoted, as one that
 * was opened during a failover may.
 */
export function needsAnotherConnection(error: unknown): boolean {
  return isConnectionFailure(error) || failureOf(error).code === READ_ONLY;
}

/** Whether the database could not be used: not if no connection of the pool became free, when it may be well. */
export function isOutage(error: unknown): boolean {
  return isConnectionFailure(error) && failureOf(error).message !== 'timeout exceeded when trying to connect';
}

/** Whether the server accepts no more connections, those that are open being used: too_many_connections. */
export function hasTooManyConnections(error: unknown): boolean {
  return failureOf(error).code === '53300';
}

/** Whether a statement that was sent has no result: neither one of the server, nor an error that it reported. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.kind === 'timeout';
  const { code, message } = failureOf(error);
  return isSystemError(code) || message.startsWith('Connection terminated');
}

/** Whether a prepared statement no longer suits its tables, or a pooler does not know it, or knows it already: it is prepared again. */
export function isStalePreparedStatement(error: unknown): boolean {
  const { code, message } = failureOf(error);
  return code === '26000' || code === '42P05' || (code === '0A000' && message.startsWith('cached plan'));
}

/**
 * Whether a column has another type than the parameter of a statement that was prepared before: the server keeps the types
 * of parameters. The same errors in a function, which have a context, are those of its statements.
 */
export function isFormerType(error: unknown): boolean {
  const { code, message, where } = failureOf(error);
  // A type that was dropped; datatype_mismatch, undefined_function.
  if (code === 'XX000') return message.startsWith('cache lookup failed for type');
  return where === undefined && (code === '42804' || code === '42883');
}

/** Whether a code is one of the system, such as ECONNREFUSED, rather than SQLSTATE or one of Node.js. */
function isSystemError(code: string | undefined): boolean {
  return code !== undefined && !SQLSTATE.test(code) && !code.startsWith('ERR_');
}

function kindOf(failure: PostgresFailure): DatabaseErrorKind {
  const { code, message, routine } = failure;
  // Another transaction has changed the table: all can be repeated.
  if (isStalePreparedStatement(failure)) return 'conflict';
  if (isSystemError(code) || CONNECTION.test(message)) return 'unavailable';
  if (code === undefined || !SQLSTATE.test(code)) return 'unknown';
  // A policy for rows; its message is in the language of the server.
  if (code === '42501' && routine === 'ExecWithCheckOptions') return 'check';
  if (!SERVER_CLASS.test(code)) return 'check';
  return KINDS[code] ?? KINDS[code.slice(0, 2)] ?? 'unknown';
}

/**
 * Which side of a foreign key a message is about, in any language: `insert or update on table "a" violates foreign key constraint
 * "k"`, or `update or delete on table "b" violates foreign key constraint "k" on table "a"`, which has a third name.
 */
function isReferenced(message: string): boolean | undefined {
  const quotes = message.match(/["«»„“”]/g)?.length;
  return quotes === 6 || (quotes === 4 ? false : undefined);
}

/** The key of `Key (maker, name)=(1, x) already exists.`, in any language. */
function keyIn(detail: string | undefined): string | undefined {
  return /\((.+?)\)=\(/s.exec(detail ?? '')?.[1];
}

/** The columns of a key; none for one with an expression. */
function keyColumns(key: string | undefined): readonly string[] {
  if (key === undefined) return [];
  const names = key.match(/"(?:[^"]|"")+"|[^",]+/g)?.map((name) => name.trim()) ?? [];
  const columns = names.filter((name) => name !== '');
  if (!columns.every((name) => name.startsWith('"') || /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name))) return [];
  return columns.map((name) => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name));
}
