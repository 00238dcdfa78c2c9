import { readFile } from 'node:fs/promises';
import { errorCode } from '../config/error-code';

/** The bytes of a file; undefined when there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
