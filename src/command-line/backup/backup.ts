import { chmod, mkdir, mkdtemp, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { create } from 'tar';
import {
  createFolders,
  FileError,
  LocalConfiguration,
  pathInside,
  systemErrorCode,
  withFileErrors,
} from '../../framework';
import { packageVersion } from '../../node-version';
import { UsageError } from '../usage-error';
import { ProjectCopy, syncFile } from './copy-project';
import { BACKUP_FOLDERS, BACKUP_FORMAT, MANIFEST_FILE, type BackupManifest } from './manifest';

export interface BackupOptions {
  /** The folder with `config/`. */
  readonly root: string;
  /** A folder, or a file that ends with `.tar.gz` or `.tgz`. */
  readonly target: string;
  /** Databases that the backup cannot contain. */
  readonly notIncluded: BackupManifest['not_included'];
}

export interface BackupResult {
  readonly manifest: BackupManifest;
  readonly skipped: readonly string[];
  /** Linked folders that it contains. */
  readonly followed: ProjectCopy['followed'];
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** Codes of writes, so that the target is meant, and not a file that was read. */
const TOO_LARGE: ReadonlySet<string> = new Set([...FULL, 'EFBIG']);

const ARCHIVE = /\.(tar\.gz|tgz)$/;
/** Whoever writes one of these expects another archive, not a folder. */
const OTHER_ARCHIVE = /\.(zip|tar|gz|7z|bz2|xz|zst|tbz2?|txz)$/i;

/**
 * Saves `config/` and `data/` of a project whose service may be running. The target appears when it is complete, and is
 * readable for its owner only.
 * @throws UsageError for a target that exists or is inside of what is saved
 */
export async function backUp({ root, target, notIncluded }: BackupOptions): Promise<BackupResult> {
  await assertTarget(root, target);
  const stage = await withFileErrors(target, async () => {
    createFolders(path.dirname(target));
    // Next to the target: a rename must not leave the file system.
    return mkdtemp(`${target}.incomplete-`);
  });
  try {
    const content = path.join(stage, 'content');
    await mkdir(content, { mode: 0o700 });
    const copy = await copyProject(root, content);
    const manifest: BackupManifest = {
      format: BACKUP_FORMAT,
      created: new Date().toISOString(),
      version: packageVersion(),
      node: process.versions.node,
      ...copy.entries,
      not_included: notIncluded,
    };
    await writeFile(path.join(content, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
    });
    await publish(stage, content, target);
    return { manifest, skipped: copy.skipped, followed: copy.followed };
  } catch (error) {
    const code = systemErrorCode(error);
    if (!TOO_LARGE.has(code)) throw error;
    throw new FileError(target, code, { hint: ', or specify a target on another disk', cause: error });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** A file system that is read-only or full has no lock, and needs none: nobody can change the configuration there. */
const UNWRITABLE: ReadonlySet<string> = new Set(['EROFS', ...FULL]);

/** Others may change the configuration, so that the lock is needed. */
const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** Configuration and revisions are copied under the lock of the configuration, the rest afterwards. */
async function copyProject(root: string, content: string): Promise<ProjectCopy> {
  const copy = new ProjectCopy(root, content);
  const copyConfiguration = async (): Promise<void> => {
    await copy.copy('config');
    await copy.copy('data/revisions');
  };
  try {
    await new LocalConfiguration(root).locked(copyConfiguration);
  } catch (error) {
    const hasBegun = copy.folders.length > 0;
    if (hasBegun || !(error instanceof FileError)) throw error;
    if (DENIED.has(error.code))
      throw new FileError(error.path, error.code, {
        hint: ', as a backup locks this file, or run the backup as the user of the service',
        cause: error,
      });
    if (!UNWRITABLE.has(error.code)) throw error;
    await copyConfiguration();
  }
  // What nodes keep belongs to their machines: a restored project is another one.
  await copy.copy('data', (name) => name === 'data/revisions' || name === 'data/nodes');
  return copy;
}

async function publish(stage: string, content: string, target: string): Promise<void> {
  if (!ARCHIVE.test(target)) {
    await rename(content, target);
    return;
  }
  const archive = path.join(stage, 'archive');
  // The manifest first: it says what else is accepted.
  const names = [MANIFEST_FILE, ...(await readdir(content)).filter((name) => name !== MANIFEST_FILE)];
  await create({ gzip: true, file: archive, cwd: content, portable: true, mode: 0o600 }, names);
  await chmod(archive, 0o600);
  await syncFile(archive);
  await rename(archive, target);
}

/** The real path of a file or folder; of its nearest folder that exists, if it does not exist itself. */
async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const folder = path.dirname(file);
    return folder === file ? file : path.join(await realPathOf(folder), path.basename(file));
  }
}

async function assertTarget(root: string, target: string): Promise<void> {
  if (!ARCHIVE.test(target) && OTHER_ARCHIVE.test(target))
    throw new UsageError(`${target}: only .tar.gz and .tgz are supported. Specify such a file, or a folder.`);
  for (const folder of BACKUP_FOLDERS) {
    const real = await realPathOf(path.join(root, folder));
    if (pathInside(real, await realPathOf(target)) !== undefined)
      throw new UsageError(`${target} is inside ${folder}/, which is saved. Specify a target outside of it.`);
  }
  const info = await stat(path.join(root, 'config')).catch(() => undefined);
  if (info?.isDirectory() !== true)
    throw new UsageError(`${root} contains no folder config/. Specify the project with --root.`);
  if ((await stat(target).catch(() => undefined)) !== undefined)
    throw new UsageError(`${target} already exists. Specify a new file or folder, or remove it.`);
}
