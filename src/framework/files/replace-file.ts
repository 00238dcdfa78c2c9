import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemErrorCode } from '../errors/system-error-code';
import { pathInside } from '../values/path-inside';
import { createFolders, giveToOwner } from './create-folders';
import { FileError, withFileErrors } from './file-error';

/** Readable by the owner only: the file may hold secrets. */
const PRIVATE = 0o600;

/** A link in place of a draft is not followed: the owner of the folder could give itself any file of root with one. */
const EXISTING = constants.O_RDWR | constants.O_NOFOLLOW;

/** The owner and mode of a file that is replaced. */
interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The content of a file; in parts, where it may be longer than a string can be. */
export type FileContent = Uint8Array | string | Iterable<string>;

export interface ReplaceOptions {
  /** The mode of a new file; defaults to 0600. An existing file keeps its mode. */
  readonly mode?: number;
}

/**
 * Replaces a file atomically: a temporary file in the same folder is synced and renamed over the old one, then the
 * folder is synced. Keeps the mode and, where permitted, the owner of an existing file; a new file of root gets the owner
 * of its folder. Pass symbolic links through `resolveLink`: they would be replaced.
 *
 * @throws FileError for a system error; the file is then unchanged
 */
export async function replaceFile(
  path: string,
  content: FileContent,
  { mode = PRIVATE }: ReplaceOptions = {},
): Promise<void> {
  await withFileErrors(path, async () => {
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      await writeNext(path, content, temporary, mode);
      await changeFolder(dirname(path), () => rename(temporary, path));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Writes what will replace a file to a draft next to it, and syncs it. The draft exists: if it is missing, nothing is written.
 * @throws FileError `ELOST` if it is a link, or for a system error
 */
export function writeDraft(path: string, bytes: Uint8Array | string, draft: string): Promise<void> {
  return withFileErrors(path, () => writeNext(path, bytes, draft));
}

/** Replaces a file by a written draft, which needs no space. @throws FileError for a system error; the file is then unchanged */
export function useDraft(path: string, draft: string): Promise<void> {
  return withFileErrors(path, () => changeFolder(dirname(path), () => rename(draft, path)));
}

/** @param mode of a new file; undefined if `next` exists, as a draft does, and has the mode */
async function writeNext(path: string, content: FileContent, next: string, mode?: number): Promise<void> {
  const before = await ownershipOf(path);
  const isDraft = mode === undefined;
  const file = isDraft
    ? await openDraft(path, next)
    : await open(next, 'wx', before === undefined ? mode : PRIVATE);
  try {
    // Left by an earlier attempt that failed.
    if (isDraft) await file.truncate(0);
    if (before === undefined) giveToOwner(dirname(path), file.fd);
    else await keepOwnership(file, before);
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function openDraft(path: string, draft: string): Promise<FileHandle> {
  try {
    return await open(draft, EXISTING);
  } catch (error) {
    // A link has replaced the draft.
    if (systemErrorCode(error) === 'ELOOP') throw new FileError(path, 'ELOST', { cause: error });
    throw error;
  }
}

/**
 * Removes a file durably, if it exists.
 * @throws FileError for a system error
 */
export async function removeFile(path: string): Promise<void> {
  await withFileErrors(path, async () => {
    await changeFolder(dirname(path), () => rm(path, { force: true }));
  });
}

async function ownershipOf(path: string): Promise<Ownership | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function keepOwnership(file: FileHandle, before: Ownership): Promise<void> {
  // Only the superuser may change the owner.
  await file.chown(before.uid, before.gid).catch(() => undefined);
  await file.chmod(before.mode & 0o777);
}

/**
 * Changes the entries of a folder, and syncs it, which makes that durable. It is opened before: without permission, or with
 * too many open files, nothing is changed.
 */
export async function changeFolder(folder: string, change: () => Promise<void>): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await change();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder and its missing parents, durably.
 * @returns the first folder that was created; undefined if all exist
 */
export async function makeFolder(folder: string, mode?: number): Promise<string | undefined> {
  const first = createFolders(folder, mode);
  if (first === undefined) return undefined;
  // An entry is durable only once its folder is synced.
  const parent = dirname(resolve(first));
  for (let at = dirname(resolve(folder)); pathInside(parent, at) !== undefined; at = dirname(at)) {
    await changeFolder(at, () => Promise.resolve());
    if (at === parent) break;
  }
  return first;
}

/**
 * Resolves symbolic links, so that a link survives the replacement of its file. The file, or that to which
 * a link leads, need not exist.
 * @throws FileError if the folder is missing
 */
export async function resolveLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // Only a link without a target: links in a circle are ELOOP.
    const target =
      systemErrorCode(error) === 'ENOENT' ? await readlink(path).catch(() => undefined) : undefined;
    if (target !== undefined) return await resolveLink(resolve(await realpath(dirname(path)), target));
    const folder = await stat(dirname(path)).catch(() => undefined);
    if (folder?.isDirectory() === true) return path;
    throw new FileError(path, folder === undefined ? 'ENOENT' : 'ENOTDIR');
  }
}

/** Reads a file. @returns undefined if it does not exist */
export async function readFileIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
