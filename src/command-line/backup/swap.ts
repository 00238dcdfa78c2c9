import { rename, rm, stat } from 'node:fs/promises';
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
    await rename(path.join(root, from), path.join(root, to));
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
    for (const [from, to] of done.reverse()) await rename(path.join(root, to), path.join(root, from));
    const reason = `The folders cannot be replaced (${systemErrorCode(error)}): a mounted volume cannot be renamed.`;
    if (isResumed)
      throw new UsageError(
        `${reason} The restore is not complete: ${ready} has the verified content that is not in place. Copy it into place and remove that folder, or run this command again.`,
      );
    await rm(ready, { recursive: true, force: true });
    throw new UsageError(
      `${reason} Nothing was changed. Restore into a new folder with --root, and copy its content.`,
    );
  }
  await rm(ready, { recursive: true, force: true });
  return kept;
}
