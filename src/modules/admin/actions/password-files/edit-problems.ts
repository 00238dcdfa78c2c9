import { FileError, problem, tooManyOpenFiles } from '../../../../framework';
import { PasswordEditError } from '../../../mvc-auth';
import { invalid } from '../../changes/field-errors';

const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^The user name /, '/user'],
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
export async function withEditProblems<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isSystemError = error instanceof FileError;
    if (!isSystemError && !(error instanceof PasswordEditError)) throw error;
    if (isSystemError || error.cause instanceof FileError) {
      throw tooManyOpenFiles(error) ?? problem('cannot_write', { reason: error.message }, { cause: error });
    }
    const field = FIELDS.find(([pattern]) => pattern.test(error.message))?.[1] ?? '/file';
    throw invalid([{ pointer: field, message: error.message }]);
  }
}
