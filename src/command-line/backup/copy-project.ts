import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  FileError,
  hasPathPrefix,
  pathInside,
  printable,
  systemErrorCode,
  withFileErrors,
} from '../../framework';
import { copySqlite, isSqlite } from './copy-sqlite';
import { linkedVolume } from './linked-volume';
import { isBackupPath, type BackupManifest } from './manifest';
import { isTemporary } from './temporary-files';

type Entries = Pick<BackupManifest, 'folders' | 'files'>;

/** How often one folder is copied: folders with several links to each other would have any number of paths. */
const MAX_TIMES = 10;

const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** Copies files of a project, and notes what was copied. */
export class ProjectCopy {
  readonly folders: BackupManifest['folders'] = [];
  readonly files: BackupManifest['files'] = [];
  /** Files that were not copied, with the reason. */
  readonly skipped: string[] = [];
  /** Links to folders that were copied, with the real path of each folder. */
  readonly followed: { readonly name: string; readonly folder: string }[] = [];
  /** The real paths of folders that are saved as the links to their content, which are next to them. */
  readonly #volumes = new Set<string>();
  readonly #root: string;
  readonly #target: string;

  /** @param target an existing folder */
  constructor(root: string, target: string) {
    this.#root = root;
    this.#target = target;
  }

  get entries(): Entries {
    return { folders: this.folders, files: this.files };
  }

  /**
   * Copies a folder. SQLite databases are copied by SQLite, in one transaction.
   * @param folder relative to the root, with `/`
   * @param isExcluded whether to pass over a path
   */
  async copy(folder: string, isExcluded: (name: string) => boolean = () => false): Promise<void> {
    const source = path.join(this.#root, folder);
    const info = await stat(source).catch(() => undefined);
    if (info === undefined) return;
    const names = (await reading(source, () => readdir(source))).sort();
    await mkdir(path.join(this.#target, folder), { recursive: true, mode: 0o700 });
    this.folders.push({ path: folder, mode: info.mode & 0o777 });
    const volume = await linkedVolume(source, names);
    const real = await realpath(source);
    for (const name of volume) this.#volumes.add(path.join(real, name));
    for (const name of names) {
      const one = `${folder}/${name}`;
      if (isExcluded(one) || volume.has(name) || (await isTemporary(path.join(source, name)))) continue;
      if (isBackupPath(one)) await this.#copyIfPresent(one, isExcluded);
      else this.#skip(one, 'its name contains a backslash or a control character');
    }
  }

  /** The service may remove or rename what it no longer needs, such as logs. */
  async #copyIfPresent(name: string, isExcluded: (name: string) => boolean): Promise<void> {
    try {
      await this.#copyEntry(name, isExcluded);
    } catch (error) {
      const reason = (await isMissing(path.join(this.#root, name)))
        ? 'it was removed in the meantime'
        : this.#isLinked(name) && DENIED.has(systemErrorCode(error))
          ? 'it cannot be read'
          : undefined;
      if (reason === undefined) throw error;
      // What is not in the manifest would make the backup invalid.
      await rm(path.join(this.#target, name), { force: true });
      this.#skip(name, reason);
    }
  }

  async #copyEntry(name: string, isExcluded: (name: string) => boolean): Promise<void> {
    const source = path.join(this.#root, name);
    const isLink = (await reading(source, () => lstat(source))).isSymbolicLink();
    const info = await stat(source).catch(() => undefined);
    if (info?.isFile() === true) await this.#copyFile(name, info.mode & 0o777);
    else if (info?.isDirectory() !== true) this.#skip(name, describe(info, isLink));
    else if (!isLink) await this.copy(name, isExcluded);
    // The service reads the configuration there. What else is linked may be anything, such as a disk.
    else if (isConfiguration(name)) await this.#follow(name, isExcluded);
    else if (await this.#isOfVolume(source)) await this.copy(name, isExcluded);
    else this.#skip(name, 'a link to a folder');
  }

  /** Whether a link leads to an entry of a volume next to it. */
  async #isOfVolume(link: string): Promise<boolean> {
    const volume = path.dirname(await realpath(link));
    return this.#volumes.has(volume) && path.dirname(volume) === (await realpath(path.dirname(link)));
  }

  async #follow(name: string, isExcluded: (name: string) => boolean): Promise<void> {
    const source = path.join(this.#root, name);
    const folder = await realpath(source);
    const times = this.followed.filter((one) => one.folder === folder).length;
    const data = path.join(await realpath(this.#root), 'data');
    if (await containsLink(source)) this.#skip(name, 'a link to a folder that contains it');
    else if (pathInside(folder, await realpath(this.#target)) !== undefined)
      this.#skip(name, 'a link to a folder that contains the backup');
    else if (pathInside(data, folder) !== undefined) this.#skip(name, 'a link to data/, which is saved');
    else if (times >= MAX_TIMES) this.#skip(name, `a link to a folder that is included ${MAX_TIMES} times`);
    else {
      this.followed.push({ name, folder });
      await this.copy(name, isExcluded);
    }
  }

  /** Whether a link leads to a file or folder: its user may not be that of the service. */
  #isLinked(name: string): boolean {
    return this.followed.some((one) => hasPathPrefix(name, one.name));
  }

  #skip(name: string, reason: string): void {
    this.skipped.push(`${printable(name)} (${reason})`);
  }

  async #copyFile(name: string, mode: number): Promise<void> {
    const [source, target] = [path.join(this.#root, name), path.join(this.#target, name)];
    await reading(source, async () => {
      if (await isSqlite(source)) await copySqlite(source, target);
      else await copyFile(source, target);
    });
    await chmod(target, 0o600);
    await syncFile(target);
    const { size } = await stat(target);
    this.files.push({ path: name, mode, bytes: size, sha256: await sha256(target) });
  }
}

/** Runs an action that reads a file or folder of the project. @throws FileError that names it */
async function reading<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withFileErrors(source, work, 'read');
  } catch (error) {
    if (!(error instanceof FileError) || !DENIED.has(error.code)) throw error;
    const hint = ', or run the backup as the user of the service';
    throw new FileError(source, error.code, { hint, use: 'read', cause: error });
  }
}

function isConfiguration(name: string): boolean {
  return `${name}/`.startsWith('config/');
}

async function isMissing(file: string): Promise<boolean> {
  try {
    await lstat(file);
    return false;
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT';
  }
}

/** A socket has no content. */
function describe(info: object | undefined, isLink: boolean): string {
  return isLink && info === undefined ? 'a link to nothing' : 'neither a file nor a folder';
}

/** Whether a link leads to a folder that it is in, also through other links: it would be followed endlessly. */
async function containsLink(link: string): Promise<boolean> {
  const target = await realpath(link);
  for (let folder = path.dirname(link); ; folder = path.dirname(folder)) {
    if (pathInside(target, await realpath(folder)) !== undefined) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns the checksum of a file in hexadecimal. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
