import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  FileError,
  readFileIfExists,
  resolveLink,
  systemErrorCode,
  withLock,
  withFileErrors,
} from '../../../../framework';
import { PasswordEditError } from './password-edit-error';

/**
 * Changes a password file atomically: under a lock, with a temporary file that is flushed and renamed. A new file is
 * readable by its owner only, an existing one keeps its mode and, if permitted, its owner. Symbolic links are kept.
 *
 * @param change gets the content, or undefined for a missing file, and returns the new content
 * @param publish called with the content before and after, before the file is written
 * @throws the errors of `publish`; nothing is changed then
 * @throws PasswordEditError of `change`, or if the folder is missing, the lock is not available or writing fails;
 *   nothing is changed then
 */
export async function changePasswordFile(
  path: string,
  change: (bytes: Buffer | undefined) => Buffer,
  publish?: (before: Buffer | undefined, after: Buffer) => Promise<void>,
): Promise<void> {
  try {
    const target = await resolveLink(path);
    await withLock(target, async (lock) => {
      const before = await withFileErrors(target, () => readFileIfExists(target));
      const after = change(before);
      if (publish !== undefined) {
        // Where it cannot be written, nobody gets it.
        await lock.stage(after);
        await publish(before, after);
      }
      await lock.replace(after);
    });
  } catch (error) {
    throw error instanceof FileError ? refusal(path, error) : error;
  }
}

/** @throws PasswordEditError if the folder of a new file is missing, so that nobody enters a password in vain */
export async function assertFolder(path: string): Promise<void> {
  try {
    await stat(dirname(path));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') throw missingFolder(path, error);
    // Reported when the file is written.
  }
}

function missingFolder(path: string, cause: unknown): PasswordEditError {
  return new PasswordEditError(`The folder ${dirname(path)} does not exist; create it first.`, { cause });
}

function refusal(path: string, error: FileError): PasswordEditError {
  if (error.code === 'ENOENT') return missingFolder(path, error);
  return new PasswordEditError(refusalMessage(path, error), { cause: error });
}

function refusalMessage(path: string, { code, path: target, message }: FileError): string {
  if (code === 'EISDIR') return folderMessage(path);
  if (code !== 'EROFS') return message;
  return VOLUME.test(target)
    ? `${path} is mounted read-only, from a Secret or ConfigMap of Kubernetes. Change it there, or configure a copy in a folder that the service can write.`
    : `${path} is on a read-only file system. Change it where it is mounted from, or mount it writable.`;
}

/** The folder with the content of a volume, named by its time, to which the links of its files lead through `..data`. */
const VOLUME = /\/\.\.\d{4}_\d\d_/;

/** Returns undefined for a missing file. @throws PasswordEditError for one that cannot be read */
export async function readPasswordFile(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return undefined;
    const message =
      code === 'EISDIR'
        ? folderMessage(path)
        : `${path} cannot be read (${code}). Make it readable for this user.`;
    throw new PasswordEditError(message, { cause: error });
  }
}

function folderMessage(path: string): string {
  return `${path} is a folder. Give the path of a file.`;
}
