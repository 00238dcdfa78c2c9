import { problem, type Problem } from '../../../framework';
import { failedValidation } from '../../content-validation';
import { DatabaseError } from '../adapters/database-error';
import { interrupted, mismatch, unreadable, unwritable } from '../service/problems/database-problems';

/** A failed statement of an author. It becomes a problem that discloses nothing about the database. */
class StatementError extends DatabaseError {
  toProblem(): Problem {
    const cause = { cause: this };
    const later = { ...cause, fields: [['Retry-After', '2']] } as const;
    switch (this.kind) {
      case 'unique':
        return problem('already_exists', { service: 'this resource', members: [] }, cause);
      case 'conflict':
        return problem('write_conflict', { service: 'this resource' }, cause);
      case 'interrupted':
        return interrupted(this);
      case 'timeout':
      case 'unavailable':
      case 'unknown':
        return this.limit === undefined
          ? problem('database_unavailable', {}, later)
          : problem('timed_out', { seconds: this.limit / 1000, what: 'The transaction' }, later);
      case 'unwritable':
        return unwritable(this);
      case 'schema':
        return mismatch('statement', this);
      case 'unreadable':
        return unreadable('statement', this);
      default:
        return failedValidation([{ pointer: '', keyword: this.kind, message: MESSAGES[this.kind] }]);
    }
  }
}

const MESSAGES = {
  foreign_key: 'refers to an entity that does not exist, or is referred to by others',
  not_null: 'lacks a required value',
  check: 'does not satisfy a rule of the database',
  too_long: 'has a value that is too long',
  invalid_value: 'has a value that is not of its type',
} as const;

/** Lets the error of a statement decide its response. */
export function toStatementError(error: unknown): unknown {
  if (!(error instanceof DatabaseError) || error instanceof StatementError) return error;
  const { kind, message, columns, constraint, limit, cause } = error;
  return new StatementError(kind, message, { columns, constraint, limit, cause });
}
