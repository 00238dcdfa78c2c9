import { closeSync, constants, fchownSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives what a command of root has created to the owner of its folder, such as a service, which could neither read nor
 * replace it otherwise.
 * @param descriptor of the opened file: its name may have been given to another one since then
 */
export function giveToOwner(folder: string, descriptor: number): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // On a file system without owners.
  }
}

/** The same for a folder that was created. */
export function giveFolderToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveToOwner(dirname(folder), descriptor);
  } finally {
    closeSync(descriptor);
  }
}
