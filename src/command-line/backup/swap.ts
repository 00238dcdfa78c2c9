import { chmod, lstat, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../framework';
import { UsageError } from '../usage-error';
import { BACKUP_FOLDERS } from './manifest';

/** Where a backup is unpacked and verified. */
export const STAGE_FOLDER = '.restore-incomplete';

/** The verified content. While it exists, a restore is to be completed. */
export const READY_FOLDER = '.restore-ready';

export async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

/**
 * Whether a restore was interrupted after its content was verified.
 * @throws UsageError if a name that a restore needs for a folder belongs to something else, such as a file
 */
export async function isInterrupted(root: string): Promise<boolean> {
  for (const name of [STAGE_FOLDER, READY_FOLDER]) {
    const file = path.join(root, name);
    const info = await lstat(file).catch(() => undefined);
    if (info !== undefined && !info.isDirectory())
      throw new UsageError(`${file} is not a folder: no restore created it. Move it away and retry.`);
  }
  return exists(path.join(root, READY_FOLDER));
}

/** Removes a folder if it exists. Those of a project may not be writable: nothing in them could be removed. */
export async function removeFolder(folder: string): Promise<void> {
  if (!(await exists(folder))) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeFolder(path.join(folder, entry.name));
  await rm(folder, { recursive: true });
}

/** Renames a folder. One that moves to another parent, which changes its `..`, must be writable meanwhile. */
async function moveFolder(from: string, to: string): Promise<void> {
  const { mode } = await stat(from);
  if ((mode & 0o200) !== 0 || path.dirname(from) === path.dirname(to)) {
    await rename(from, to);
    return;
  }
  await chmod(from, mode | 0o200);
  await rename(from, to).catch(async (error: unknown) => {
    await chmod(from, mode);
    throw error;
  });
  await chmod(to, mode);
}

/**
 * Renames the verified folders into place, and the former ones to `NAME.before-restore-TIME`. Can be repeated after an
 * interruption.
 * @param isResumed whether it was interrupted before: then some of it may already be in place
 * @returns the names of the former folders
 * @throws UsageError if a folder cannot be renamed, such as a mounted volume; what this call renamed is undone
 */
export async function swapIn(root: string, isResumed = false): Promise<readonly string[]> {
  const ready = path.join(root, READY_FOLDER);
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const done: (readonly [from: string, to: string])[] = [];
  const kept: string[] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await moveFolder(path.join(root, from), path.join(root, to));
    done.push([from, to]);
  };
  try {
    for (const folder of BACKUP_FOLDERS) {
      if (!(await exists(path.join(ready, folder)))) continue;
      if (await exists(path.join(root, folder))) {
        const name = `${folder}.before-restore-${time}`;
        await move(folder, name);
        kept.push(name);
      }
      await move(path.join(READY_FOLDER, folder), folder);
    }
  } catch (error) {
    for (const [from, to] of done.reverse()) await moveFolder(path.join(root, to), path.join(root, from));
    const reason = `The folders cannot be replaced (${systemErrorCode(error)}): a mounted volume cannot be renamed.`;
    if (isResumed)
      throw new UsageError(
        `${reason} The restore is not complete: ${ready} has the verified content that is not in place. Copy it into place and remove that folder, or run this command again.`,
      );
    await removeFolder(ready);
    throw new UsageError(
      `${reason} Nothing was changed. Restore into a new folder with --root, and copy its content.`,
    );
  }
  await removeFolder(ready);
  return kept;
}
