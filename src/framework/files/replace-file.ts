import { randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../config/error-code';
import { writing } from './file-error';

/** Nobody but the owner reads what may hold secrets. */
const PRIVATE = 0o600;

/** The names of temporary files, behind the name of the file that they replace: those of this file ... */
const LITTER = /^\.[0-9a-f-]{36}\.tmp$/;
/** ... and those of locks, which somebody may yet be using. */
const DRAFT_OF_LOCK = /^\.lock\.[0-9a-f-]{36}$/;

/** How old a draft is that nobody uses any more, in milliseconds. */
const ABANDONED = 60_000;

/** Who and what a file that is replaced belonged to. */
interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

export interface ReplaceOptions {
  /** The mode of a file that is new; 0600 unless told. An old one keeps its own. */
  readonly mode?: number;
}

/**
 * Writes a file as a whole or not at all: a temporary file in the same folder is flushed and renamed over the old
 * one, then the folder is flushed. An old file's mode and, where that is allowed, owner are kept. A symbolic link
 * would be replaced: give {@link targetOf} of it.
 *
 * @throws FileError when the system refuses; the old file is as it was
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array | string,
  { mode = PRIVATE }: ReplaceOptions = {},
): Promise<void> {
  await writing(path, async () => {
    const before = await ownershipOf(path);
    const temporary = `${path}.${randomUUID()}.tmp`;
    try {
      const file = await open(temporary, 'wx', before === undefined ? mode : PRIVATE);
      try {
        if (before !== undefined) await keepOwnership(file, before);
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(dirname(path));
  });
}

/**
 * Takes a file away, for good once it returns.
 * @throws FileError when the system refuses
 */
export async function removeFile(path: string): Promise<void> {
  await writing(path, async () => {
    await rm(path, { force: true });
    await syncFolder(dirname(path));
  });
}

/** Clears what processes that were killed have left beside a file; for who holds its lock. */
export async function removeLitter(path: string): Promise<void> {
  const name = basename(path);
  for (const one of await readdir(dirname(path))) {
    if (!one.startsWith(`${name}.`)) continue;
    const file = join(dirname(path), one);
    const rest = one.slice(name.length);
    if (LITTER.test(rest) || (DRAFT_OF_LOCK.test(rest) && (await isAbandoned(file))))
      await rm(file, { force: true });
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  const info = await stat(file).catch(() => undefined);
  return info !== undefined && Date.now() - info.mtimeMs > ABANDONED;
}

async function ownershipOf(path: string): Promise<Ownership | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function keepOwnership(file: FileHandle, before: Ownership): Promise<void> {
  // Giving a file away is for the superuser; whoever may not keeps it.
  await file.chown(before.uid, before.gid).catch(() => undefined);
  await file.chmod(before.mode & 0o777);
}

/** A rename is on the disk only when the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
