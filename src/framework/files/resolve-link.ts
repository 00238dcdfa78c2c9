import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileError } from './file-error';

/**
 * Resolves symbolic links, so that a link survives the replacement of its file. Returns the path itself if the file
 * does not exist.
 * @throws FileError if the folder is missing
 */
export async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = await stat(dirname(path)).catch(() => undefined);
    if (folder?.isDirectory() === true) return path;
    throw new FileError(path, folder === undefined ? 'ENOENT' : 'ENOTDIR');
  }
}
