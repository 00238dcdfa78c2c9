import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Stats } from 'node:fs';
import { systemErrorCode } from '../../framework';

/** A file of a folder. */
export interface FoundFile {
  /** Its absolute path, without symbolic links. */
  readonly file: string;
  /** Its path in the folder, with slashes, as the request names it. */
  readonly path: string;
  readonly stats: Stats;
}

/** The codes of errors that mean that there is no such file. */
const MISSING: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EINVAL'];

/**
 * Finds a file or folder. Symbolic links are followed within the folder; what they name outside of it does not exist.
 * The folder itself may be a link, which is followed each time, so that releases can be switched.
 *
 * @param folder absolute
 * @param hidden absolute paths of folders: what lies in those that are inside of the folder does not exist, also by another
 *   spelling or a link
 * @returns undefined if there is none, or neither a file nor a folder
 * @throws the system error if it cannot be read
 */
export async function locateFile(
  folder: string,
  segments: readonly string[],
  hidden: readonly string[] = [],
): Promise<FoundFile | undefined> {
  try {
    const root = await realpath(folder);
    const file = await realpath(path.join(root, ...segments));
    if (!isIn(file, root)) return undefined;
    for (const one of hidden) {
      const other = await realpath(one).catch(() => root);
      if (other !== root && isIn(other, root) && isIn(file, other)) return undefined;
    }
    const stats = await stat(file);
    return stats.isFile() || stats.isDirectory() ? { file, path: segments.join('/'), stats } : undefined;
  } catch (error) {
    if (MISSING.includes(systemErrorCode(error))) return undefined;
    throw error;
  }
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}
