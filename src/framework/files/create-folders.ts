import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemErrorCode } from '../errors/system-error-code';

/**
 * Creates a folder and the missing ones above it. `mkdir` of Node.js with `recursive` never ends where a folder exists
 * but the system denies it when another one is created in it, such as /proc.
 * @returns the first folder that was created; undefined if all exist
 */
export function createFolders(folder: string, mode?: number): string | undefined {
  try {
    mkdirSync(folder, mode);
    return folder;
  } catch (error) {
    if (isFolder(folder)) return undefined;
    const above = dirname(folder);
    if (systemErrorCode(error) !== 'ENOENT' || isFolder(above)) throw error;
    const first = createFolders(above, mode);
    const below = createFolders(folder, mode);
    return first ?? below;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
