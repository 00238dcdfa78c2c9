import { constants } from 'node:fs';
import { access, readlink } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { systemErrorCode } from '../errors/system-error-code';
import { FileError } from './file-error';

/**
 * Returns a warning about a folder that the process cannot write, such as a volume of a container that belongs to another
 * user: it would be noticed at the first change.
 * @param name names the folder in the message
 * @param effect a sentence that says what is impossible
 * @returns undefined for a folder that can be written, or created
 */
export async function folderWarning(
  folder: string,
  name: string,
  effect: string,
): Promise<string | undefined> {
  const code = await writeProblem(folder);
  return code === undefined
    ? undefined
    : `${new FileError(name, code).message} ${effect} The process runs as ${user()}.`;
}

/** Returns the system error code of a folder that cannot be written, or created. */
async function writeProblem(folder: string): Promise<string | undefined> {
  try {
    // With the separator, a file is none.
    await access(path.join(folder, path.sep), constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = systemErrorCode(error);
    const parent = path.dirname(folder);
    // Where a link leads to nothing, no folder can be created.
    if (code !== 'ENOENT' || parent === folder || (await isLink(folder))) return code;
    return writeProblem(parent);
  }
}

function isLink(file: string): Promise<boolean> {
  return readlink(file).then(
    () => true,
    () => false,
  );
}

/** Containers often run as a number without a name. */
function user(): string {
  try {
    const { uid, username } = userInfo();
    return uid < 0 ? `"${username}"` : `"${username}" (uid ${uid})`;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
