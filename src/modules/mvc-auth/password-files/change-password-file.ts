import { randomUUID } from 'node:crypto';
import { open, readdir, readFile, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../../framework';
import { withLock } from './file-lock';
import { PasswordEditError } from './password-edit-error';

/** Nobody but the owner reads a password file. */
const PRIVATE = 0o600;

/** The names that this file gives to temporary files, behind the name of the file that they replace. */
const LITTER = /^\.[0-9a-f-]{36}\.tmp$/;

/** Who and what a file that is replaced belonged to. */
interface Ownership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Changes a password file as a whole or not at all: under a lock, through a temporary file in the same folder
 * that is flushed and renamed over the old one. A new file is readable by its owner only, an old one keeps its
 * mode and, where that is allowed, its owner. A symbolic link stays one.
 *
 * @param change gets the content, or nothing when there is no such file; what it returns is written
 * @throws PasswordEditError of `change`, or when the folder is missing or the lock is not to be had
 */
export async function changePasswordFile(
  path: string,
  change: (bytes: Buffer | undefined) => Buffer,
): Promise<void> {
  const target = await targetOf(path);
  await withLock(target, async () => {
    await removeLitter(target);
    const bytes = await readIfThere(target);
    await replaceFile(target, change(bytes), bytes && (await stat(target)));
  });
}

async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    const info = await stat(folder).catch(() => undefined);
    if (info?.isDirectory() === true) return path;
    throw new PasswordEditError(`There is no folder ${folder}; create it first.`);
  }
}

/** What a process that was killed has left: who holds the lock is the only one that writes. */
async function removeLitter(path: string): Promise<void> {
  const name = basename(path);
  for (const one of await readdir(dirname(path))) {
    if (one.startsWith(`${name}.`) && LITTER.test(one.slice(name.length)))
      await rm(join(dirname(path), one), { force: true });
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function replaceFile(path: string, bytes: Buffer, before: Ownership | undefined): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx', PRIVATE);
    try {
      if (before) await keepOwnership(file, before);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
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
