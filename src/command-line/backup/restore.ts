import type { Stats } from 'node:fs';
import { chmod, lchown, mkdir, rename, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, removeEmptyFolders, withFileErrors } from '../../framework';
import { packageVersion } from '../../node-version';
import { UsageError } from '../usage-error';
import { sha256, syncFile } from './copy-project';
import { BACKUP_FOLDERS, type BackupManifest } from './manifest';
import { openBackup, type OpenBackup } from './open-backup';
import { READY_FOLDER, STAGE_FOLDER, exists, removeFolder, swapIn } from './swap';

export interface RestoreOptions {
  readonly root: string;
  /** A folder or an archive. */
  readonly source: string;
  /** Whether `config/` and `data/` may be replaced; they are kept under other names. */
  readonly force: boolean;
}

export interface RestoreResult {
  readonly manifest: BackupManifest;
  /** The former folders, by their new names. */
  readonly kept: readonly string[];
}

/**
 * Restores a backup: everything is unpacked next to the project and verified; then the folders are renamed.
 * @throws UsageError for a backup that is not complete and unchanged, and for folders that must not be replaced
 * @throws FileError for a backup that cannot be read, and a project that cannot be written
 */
export async function restore({ root, source, force }: RestoreOptions): Promise<RestoreResult> {
  const backup = await openBackup(source, packageVersion());
  const created = await withFileErrors(root, () => makeFolder(root));
  try {
    return await withFileErrors(root, () => restoreInto(root, backup, force));
  } catch (error) {
    if (created !== undefined) removeEmptyFolders(root, path.dirname(created));
    throw error;
  }
}

async function restoreInto(root: string, backup: OpenBackup, force: boolean): Promise<RestoreResult> {
  if (!force) await assertNothingReplaced(root);
  const stage = path.join(root, STAGE_FOLDER);
  // Of a restore that was interrupted before anything was replaced.
  await removeFolder(stage);
  await mkdir(stage, { mode: 0o700 });
  try {
    await assertSpace(root, backup.manifest);
    await backup.extract(stage);
    await verify(stage, backup.manifest);
    if (process.getuid?.() === 0) await giveToOwner(root, stage, backup.manifest);
    await rename(stage, path.join(root, READY_FOLDER));
    return { manifest: backup.manifest, kept: await swapIn(root) };
  } finally {
    await removeFolder(stage);
  }
}

async function assertNothingReplaced(root: string): Promise<void> {
  const existing: string[] = [];
  for (const folder of BACKUP_FOLDERS) if (await exists(path.join(root, folder))) existing.push(`${folder}/`);
  if (existing.length === 0) return;
  throw new UsageError(
    `${root} contains ${existing.join(' and ')}. Stop the service, and use --force to replace ${existing.length === 1 ? 'it' : 'them'}: the current content is kept under another name. Or restore into a new folder with --root.`,
  );
}

async function assertSpace(root: string, { files }: BackupManifest): Promise<void> {
  const needed = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const { bavail, bsize } = await statfs(root);
  if (needed <= bavail * bsize) return;
  throw new UsageError(
    `The backup needs ${needed} bytes; the file system of ${root} has ${bavail * bsize}. Nothing was changed.`,
  );
}

/** Compares what was unpacked with the manifest, and sets the modes. */
async function verify(stage: string, { files, folders }: BackupManifest): Promise<void> {
  for (const { path: name, bytes, sha256: expected, mode } of files) {
    const file = path.join(stage, name);
    const info = await stat(file).catch(() => undefined);
    if (info?.isFile() !== true) throw damaged(`${name} is missing`);
    if (info.size !== bytes || (await sha256(file)) !== expected)
      throw damaged(`${name} is not what the manifest describes`);
    await syncFile(file);
    await chmod(file, mode);
  }
  // The innermost first: a folder may not be writable.
  for (const { path: name, mode } of [...folders].reverse()) {
    await mkdir(path.join(stage, name), { recursive: true, mode: 0o700 });
    await chmod(path.join(stage, name), mode);
  }
}

/** What root restores belongs to the owner of what it replaces, such as a service, or else of the folder above. */
async function giveToOwner(root: string, stage: string, { files, folders }: BackupManifest): Promise<void> {
  for (const { path: name } of [...files, ...folders]) {
    const { uid, gid } = await nearest(path.join(root, name));
    await lchown(path.join(stage, name), uid, gid).catch(() => undefined);
  }
}

/** Describes what has a path, or else the nearest folder above. */
async function nearest(file: string): Promise<Stats> {
  return stat(file).catch(() => nearest(path.dirname(file)));
}

function damaged(reason: string): UsageError {
  return new UsageError(`The backup is damaged: ${reason}. Nothing was changed; use another backup.`);
}
