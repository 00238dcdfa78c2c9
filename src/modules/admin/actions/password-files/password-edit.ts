import { FileError, problem } from '../../../../framework';
import { PasswordEditError } from '../../../mvc-auth';
import { invalid } from '../invalid';

const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/^The user name /, '/user'],
  [/^The realm /, '/realm'],
  [/^The password /, '/password'],
];

/**
 * Runs a change of a password file; what refuses it becomes a Problem: 422 at the field whose value is refused,
 * 507 where the system does not write.
 */
export async function editing<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const isOfTheSystem = error instanceof FileError;
    if (!isOfTheSystem && !(error instanceof PasswordEditError)) throw error;
    if (isOfTheSystem || error.cause instanceof FileError) {
      throw problem('cannot_write', { reason: error.message }, { cause: error });
    }
    const field = FIELDS.find(([pattern]) => pattern.test(error.message))?.[1] ?? '/file';
    throw invalid([{ pointer: field, message: error.message }]);
  }
}
