import { FileError, problem, tooManyOpenFiles } from '../../../../framework';
import { PasswordEditError } from '../../../mvc-auth';
import { invalid } from '../../changes/field-errors';

/** The fields of a request that edits a password file. */
interface RequestFields {
  /** The pointer of the user name. */
  readonly user: string;
  /** The pointer of errors that no field of its own has. */
  readonly other: string;
}

const FILE: RequestFields = { user: '/user', other: '/file' };

const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^The realm /, '/realm'],
  [/^The password /, '/password'],
  [/^The owner /, '/owner'],
  [/^The scope /, '/scopes'],
  [/^The group /, '/groups'],
  [/^"[^"]*" is (?:not a time of expiry|in the past|more than 100 years away)/, '/expires'],
];

/**
 * Runs an edit of a password file and converts its errors to Problems: 422 for an invalid field, 507 if the file
 * cannot be written.
 */
export async function withEditProblems<T>(
  change: () => Promise<T>,
  { user, other }: RequestFields = FILE,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isSystemError = error instanceof FileError;
    if (!isSystemError && !(error instanceof PasswordEditError)) throw error;
    if (isSystemError || error.cause instanceof FileError) {
      throw tooManyOpenFiles(error) ?? problem('cannot_write', { reason: error.message }, { cause: error });
    }
    const fields = [[/^The user name /, user] as const, ...FIELDS];
    const field = fields.find(([pattern]) => pattern.test(error.message))?.[1] ?? other;
    throw invalid([{ pointer: field, message: error.message }]);
  }
}
