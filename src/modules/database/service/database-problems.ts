import { problem, type MaybePromise, type Problem, isThenable } from '../../../framework';
import { DatabaseError } from '../adapters/database-error';
import type { Table } from './table';

/** What a failed statement was for. */
export interface FailedAction {
  readonly service: string;
  readonly action: 'read' | 'write' | 'delete';
  readonly table: Pick<Table, 'columns'>;
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
export function databaseProblem(error: DatabaseError, { service, action, table }: FailedAction): Problem {
  const { kind } = error;
  const pointers = error.columns
    .filter((name) => table.columns.some((column) => column.name === name))
    .map((name) => `/${name}`);
  switch (kind) {
    case 'unique': {
      const errors = pointers.map((pointer) => ({ pointer, keyword: 'unique', message: 'is taken' }));
      return problem(
        'already_exists',
        { service, members: pointers },
        { extensions: { errors }, cause: error },
      );
    }
    case 'foreign_key':
      if (action === 'delete') return problem('still_referenced', { service }, { cause: error });
      break;
    case 'conflict':
      // A standby cancels queries that keep it from following.
      if (action === 'read') return unavailable(error);
      return problem('write_conflict', { service }, { cause: error });
    case 'timeout':
    case 'unavailable':
    case 'unknown':
      return unavailable(error);
    case 'schema':
      return mismatch(service, error);
    default:
  }
  if (action === 'read')
    return problem('bad_request', { reason: 'A value in the query is out of range.' }, { cause: error });
  const message = MESSAGES[kind];
  const errors = (pointers.length === 0 ? [''] : pointers).map((pointer) => ({
    pointer,
    keyword: kind,
    message,
  }));
  return problem('failed_validation', { count: errors.length }, { extensions: { errors }, cause: error });
}

function unavailable(cause: DatabaseError): Problem {
  return problem('database_unavailable', {}, { fields: [['Retry-After', String(RETRY_AFTER)]], cause });
}

/** The problem of a statement that does not fit the database. Retrying does not help: without `Retry-After`. */
export function mismatch(service: string, cause?: DatabaseError): Problem {
  const logOnce = `${service}: ${cause?.message ?? 'drift'}`;
  return problem('database_mismatch', {}, { logOnce, ...(cause === undefined ? {} : { cause }) });
}

/** Runs an action, and converts a failed statement into its problem. */
export function withDatabaseProblems<T>(failed: FailedAction, run: () => MaybePromise<T>): MaybePromise<T> {
  const convert = (error: unknown): never => {
    throw error instanceof DatabaseError ? databaseProblem(error, failed) : error;
  };
  try {
    const result = run();
    return isThenable(result) ? Promise.resolve(result).catch(convert) : result;
  } catch (error) {
    return convert(error);
  }
}
