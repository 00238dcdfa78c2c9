import { readFile } from 'node:fs/promises';
import { systemErrorCode } from '../errors/system-error-code';

/** Reads a file. @returns undefined if it does not exist */
export async function readFileIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
