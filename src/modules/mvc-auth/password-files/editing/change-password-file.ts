import { dirname } from 'node:path';
import { FileError, readFileIfExists, resolveLink, withLock, withFileErrors } from '../../../../framework';
import { PasswordEditError } from './password-edit-error';

/**
 * Changes a password file atomically: under a lock, with a temporary file that is flushed and renamed. A new file is
 * readable by its owner only, an existing one keeps its mode and, if permitted, its owner. Symbolic links are kept.
 *
 * @param change gets the content, or undefined for a missing file, and returns the new content
 * @throws PasswordEditError of `change`, or if the folder is missing, the lock is not available or writing fails;
 *   nothing is changed then
 */
export async function changePasswordFile(
  path: string,
  change: (bytes: Buffer | undefined) => Buffer,
): Promise<void> {
  try {
    const target = await resolveLink(path);
    await withLock(target, async (lock) =>
      lock.replace(change(await withFileErrors(target, () => readFileIfExists(target)))),
    );
  } catch (error) {
    throw error instanceof FileError ? refusal(path, error) : error;
  }
}

function refusal(path: string, error: FileError): PasswordEditError {
  const message =
    error.code === 'ENOENT' ? `The folder ${dirname(path)} does not exist; create it first.` : error.message;
  return new PasswordEditError(message, { cause: error });
}
