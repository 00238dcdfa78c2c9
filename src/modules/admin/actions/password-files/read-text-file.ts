import { readFile, stat } from 'node:fs/promises';
import { errorCode } from '../../../../framework';
import { PathRefusal, type ProjectFile } from './project-file';

/** More than any password file has, in bytes. */
const LARGEST = 16 * 1024 * 1024;

/**
 * The text of a file of the project; undefined where there is no file.
 * @throws PathRefusal when it is no file, is too large, or may not be read
 */
export async function readTextFile({ absolute }: ProjectFile): Promise<string | undefined> {
  try {
    const info = await stat(absolute);
    if (info.isDirectory()) throw new PathRefusal('is a folder. Name a file');
    if (!info.isFile()) throw new PathRefusal('is no ordinary file');
    if (info.size > LARGEST) throw new PathRefusal('is too large for a password file');
    return await readFile(absolute, 'utf8');
  } catch (error) {
    if (error instanceof PathRefusal) throw error;
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new PathRefusal(`cannot be read (${errorCode(error)}). Let the user of the service read it`);
  }
}
