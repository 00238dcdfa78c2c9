import { dirname } from 'node:path';
import {
  FileError,
  readIfThere,
  removeLitter,
  replaceFile,
  targetOf,
  withLock,
  writing,
} from '../../../framework';
import { PasswordEditError } from './password-edit-error';

/**
 * Changes a password file as a whole or not at all: under a lock, through a temporary file in the same folder
 * that is flushed and renamed over the old one. A new file is readable by its owner only, an old one keeps its
 * mode and, where that is allowed, its owner. A symbolic link stays one.
 *
 * @param change gets the content, or nothing when there is no such file; what it returns is written
 * @throws PasswordEditError of `change`, or when the folder is missing, the lock is not to be had, or the system
 *   refuses to write; nothing is changed then
 */
export async function changePasswordFile(
  path: string,
  change: (bytes: Buffer | undefined) => Buffer,
): Promise<void> {
  try {
    const target = await targetOf(path);
    await withLock(target, async () => {
      await removeLitter(target);
      await replaceFile(target, change(await writing(target, () => readIfThere(target))));
    });
  } catch (error) {
    throw error instanceof FileError ? refusal(path, error) : error;
  }
}

function refusal(path: string, error: FileError): PasswordEditError {
  const message =
    error.code === 'ENOENT' ? `There is no folder ${dirname(path)}; create it first.` : error.message;
  return new PasswordEditError(message, { cause: error });
}
