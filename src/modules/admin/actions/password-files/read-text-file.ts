import { readFile, stat } from 'node:fs/promises';
import { systemErrorCode } from '../../../../framework';
import { PathError, type ProjectFile } from './project-file';

/** The maximum size of a password file. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file of the project; undefined if it does not exist.
 * @throws PathError if it is not a regular file, is too large, or cannot be read
 */
export async function readTextFile({ absolute }: ProjectFile): Promise<string | undefined> {
  try {
    const info = await stat(absolute);
    if (info.isDirectory()) throw new PathError('is a folder. Enter a file');
    if (!info.isFile()) throw new PathError('is not a regular file');
    if (info.size > MAX_BYTES) throw new PathError('is too large for a password file');
    return await readFile(absolute, 'utf8');
  } catch (error) {
    if (error instanceof PathError) throw error;
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw new PathError(`cannot be read (${systemErrorCode(error)}). Grant the service read access`);
  }
}
