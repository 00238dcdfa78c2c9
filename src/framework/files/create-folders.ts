import {
  closeSync,
  constants,
  fchownSync,
  mkdirSync,
  openSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemErrorCode } from '../errors/system-error-code';
import { FileError } from './file-error';

/**
 * Creates a folder and the missing ones above it. `mkdir` of Node.js with `recursive` never ends where a folder exists
 * but the system denies it when another one is created in it, such as /proc.
 * @returns the first folder that was created; undefined if all exist
 * @throws FileError for a folder in which the system denies it; otherwise the error of the file system
 */
export function createFolders(folder: string, mode?: number): string | undefined {
  try {
    return createFolder(folder, mode);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    const above = dirname(folder);
    // One that exists may have been created meanwhile by another process: the folder is tried again, and only once.
    const first = isFolder(above) ? undefined : createFolders(above, mode);
    const below = createAgain(folder, mode);
    return first ?? below;
  }
}

/** @throws FileError if the system still reports a missing folder above, although it exists */
function createAgain(folder: string, mode: number | undefined): string | undefined {
  try {
    return createFolder(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if (systemErrorCode(error) !== 'ENOENT' || !isFolder(above)) throw error;
    const reason = `the file system of ${above} does not permit new folders. Choose another folder`;
    throw new FileError(folder, 'ENOENT', { reason, cause: error });
  }
}

/** @returns undefined for a folder that exists */
function createFolder(folder: string, mode: number | undefined): string | undefined {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (isFolder(folder)) return undefined;
    throw error;
  }
  giveFolderToOwner(folder);
  return folder;
}

/** Whether a path leads to a folder, also through links. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

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

/**
 * Creates a file for the owner of its folder. A link is not followed: that owner could give itself any file with one.
 * @throws the error of the file system, `EEXIST` if anything has the name
 */
export function createFile(file: string, content: string | Uint8Array, mode?: number): void {
  const descriptor = openSync(file, 'wx', mode);
  try {
    giveToOwner(dirname(file), descriptor);
    writeFileSync(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a folder and those above, as far as they are empty, up to another one above, which remains. */
export function removeEmptyFolders(folder: string, top: string): void {
  if (folder === top) return;
  try {
    rmdirSync(folder);
  } catch {
    // It was not created, or has other files.
  }
  removeEmptyFolders(dirname(folder), top);
}

/** For root, before a file is opened that is created if it is missing: creates it empty, for the owner of its folder. */
export function createForOwner(file: string, mode: number): void {
  if (process.getuid?.() !== 0) return;
  try {
    createFile(file, '', mode);
  } catch {
    // It exists, or opening it says why it cannot be created.
  }
}

/** Gives a folder that was created to the owner of the one above. */
function giveFolderToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveToOwner(dirname(folder), descriptor);
  } finally {
    closeSync(descriptor);
  }
}
