import { formatPointer, problem, type MaybePromise, Problem, recoverFrom } from '../../../../framework';
import { isConflict } from '../../adapters/conflict-retry';
import { DatabaseError } from '../../adapters/database-error';
import { formatId, type EntityId } from '../../../hosting';
import { IDENTIFIER, type GivenValue } from '../../table/given-value';
import { refusedPart, type RefusedPart } from './refused-part';
import type { Table } from '../../table/table';
import { takenKey } from './taken-key';

/** What a failed statement was for. */
export interface FailedAction {
  readonly service: string;
  readonly action: 'read' | 'write' | 'delete';
  readonly table: Pick<Table, 'columns'> & Partial<Pick<Table, 'foreignKeys' | 'dialect'>>;
  /** Finds the values that an error is about, where the database does not name their columns; undefined if it cannot. */
  readonly find?: (error: DatabaseError) => Promise<readonly GivenValue[] | undefined>;
  /** The values of a read; without them, a failed read may be about one that is not found. */
  readonly given?: () => readonly GivenValue[];
  /** The identifier in the path. */
  readonly id?: EntityId | undefined;
}

/** Seconds after which a client may retry while the database is not available. */
const RETRY_AFTER = 2;

const MESSAGES = {
  foreign_key: 'refers to an entity that does not exist',
  not_null: 'must not be null',
  check: 'does not satisfy a rule of the database',
  too_long: 'is too long',
  invalid_value: 'is not a value of this type',
} as const;

/**
 * Returns the problem for a failed statement. It names columns that clients see, and nothing else of the database;
 * the log has the rest.
 */
export function databaseProblem(
  error: DatabaseError,
  { service, action, table, id, given }: FailedAction,
  found?: readonly GivenValue[],
): Problem {
  const { kind } = error;
  const named = error.columns
    .filter((name) => table.columns.some((column) => column.name === name))
    .map((name) => formatPointer([name]));
  const places = [...new Set(found?.map(({ at }) => at))];
  const pointers = places.length === 0 ? named : places.filter((at) => at.startsWith('/'));
  switch (kind) {
    case 'unique':
      return takenKey(error, service, table, pointers);
    case 'foreign_key':
      if (action === 'delete' || (id !== undefined && isReferenced(error, table, found)))
        return stillReferenced(error, service, action === 'delete' ? [] : pointers);
      break;
    case 'conflict':
      // A standby cancels queries that keep it from following.
      if (action === 'read') return unavailable(error);
      return problem('write_conflict', { service }, { cause: error });
    case 'interrupted':
      return interrupted(error);
    case 'timeout':
    case 'unavailable':
    case 'unknown':
      return unavailable(error);
    case 'schema':
      return mismatch(service, error);
    case 'unreadable':
      return unreadable(service, error);
    case 'unwritable':
      return action === 'read' ? unavailable(error) : unwritable(error);
    case 'not_null':
      // No request could have a value of such a column.
      if (error.columns.length > 0 && !error.columns.some((name) => isWritable(name, table)))
        return mismatch(service, error);
      break;
    default:
  }
  // No entity has an identifier that its column cannot have.
  if (id !== undefined && kind !== 'foreign_key' && places.includes(IDENTIFIER))
    return problem('entity_not_found', { service, id: formatId(id) }, { cause: error });
  const messageAt = (at: string): RefusedPart => {
    const refused = kind === 'invalid_value' ? found?.find((one) => one.at === at) : undefined;
    const part = refused && refusedPart(refused.value, refused.column.model, table.dialect);
    return part ?? { pointer: '', message: MESSAGES[kind] };
  };
  const names = places.filter((at) => at !== IDENTIFIER && !at.startsWith('/'));
  if (names.length > 0) {
    const errors = names.map((parameter) => ({ parameter, message: messageAt(parameter).message }));
    return problem('bad_query', { names }, { extensions: { errors }, cause: error });
  }
  // A view divides by zero, for example: the stored rows are the cause, since the columns can have all values that are given.
  if (kind === 'invalid_value' && given?.().every(({ isComputed }) => isComputed !== true) === true) {
    // Without a connection to examine the values, either may be the cause: the next attempt finds it.
    if (found === undefined) return unavailable(error);
    if (found.length === 0) return unreadable(service, error, { isUncomputed: true });
  }
  if (action === 'read' && places.length === 0)
    return problem('bad_request', { reason: 'A value in the query is out of range.' }, { cause: error });
  const errors = (pointers.length === 0 ? [''] : pointers).map((pointer) => {
    const { pointer: within, message } = messageAt(pointer);
    return { pointer: pointer + within, keyword: kind, message };
  });
  // A DELETE has no body.
  const part = action === 'delete' ? 'request' : 'body';
  return problem(
    'failed_validation',
    { count: errors.length, part },
    { extensions: { errors }, cause: error },
  );
}

/** Whether a change of a row is about what others refer to, rather than about what it refers to itself. */
function isReferenced(
  { columns, isReferenced: isOther }: DatabaseError,
  { foreignKeys = [] }: FailedAction['table'],
  found: readonly GivenValue[] | undefined,
): boolean {
  if (isOther !== undefined) return isOther;
  if (columns.length === 0) return found?.length === 0;
  return !foreignKeys.some((key) => columns.every((name) => key.columns.includes(name)));
}

function stillReferenced(cause: DatabaseError, service: string, pointers: readonly string[]): Problem {
  const message = 'is what other entities refer to';
  const errors = pointers.map((pointer) => ({ pointer, keyword: 'foreign_key', message }));
  return problem(
    'still_referenced',
    { service },
    { extensions: pointers.length === 0 ? {} : { errors }, cause },
  );
}

/** Whether clients can write a column. */
function isWritable(name: string, { columns }: FailedAction['table']): boolean {
  return columns.some((column) => column.name === name && column.isWritable);
}

function unavailable(cause: DatabaseError): Problem {
  return problem('database_unavailable', {}, { fields: [['Retry-After', String(RETRY_AFTER)]], cause });
}

/** The problem of a change that may have been made. Retrying could make it twice: without `Retry-After`. */
export function interrupted(cause: DatabaseError): Problem {
  return problem('outcome_unknown', {}, { cause });
}

/** The problem of a database that takes no data, such as one on a full disk. */
export function unwritable(cause: DatabaseError): Problem {
  return problem('cannot_write', { reason: 'the data cannot be stored now. Try again later.' }, { cause });
}

/** The problem of a statement that does not match the database. Retrying does not help: without `Retry-After`. */
export function mismatch(service: string, cause?: DatabaseError): Problem {
  const logOnce = `${service}: ${cause?.message ?? 'drift'}`;
  return problem('database_mismatch', {}, { logOnce, ...(cause === undefined ? {} : { cause }) });
}

/** The problem of a stored value that cannot be returned as it is. Retrying does not help: without `Retry-After`. */
export function unreadable(
  service: string,
  cause: DatabaseError,
  why: { readonly isUncomputed?: boolean } = {},
): Problem {
  return problem('unreadable_value', why, { logOnce: `${service}: ${cause.message}`, cause });
}

/** Whether another transaction made a statement fail. */
export function isConflictProblem(error: unknown): boolean {
  return isConflict(error instanceof Problem ? error.cause : error);
}

/** Whether an error is about a value whose place in the request is not known yet. */
function isAboutValue({ kind, columns, probe }: DatabaseError, { action }: FailedAction): boolean {
  if (kind === 'foreign_key' && action === 'delete') return false;
  // They have no body: values are those of filters and of the identifier.
  if (action !== 'write') return Object.hasOwn(MESSAGES, kind);
  return kind === 'invalid_value' || (columns.length === 0 && probe !== undefined);
}

/** Runs an action, and converts a failed statement into its problem. */
export function withDatabaseProblems<T>(failed: FailedAction, run: () => MaybePromise<T>): MaybePromise<T> {
  return recoverFrom(run, (error): Promise<never> => {
    if (!(error instanceof DatabaseError)) throw error;
    const { find } = failed;
    if (find === undefined || !isAboutValue(error, failed)) throw databaseProblem(error, failed);
    return find(error).then((found) => {
      throw databaseProblem(error, failed, found);
    });
  });
}
