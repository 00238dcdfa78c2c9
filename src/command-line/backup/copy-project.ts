import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathInside, printable, systemErrorCode } from '../../framework';
import { copySqlite, isSqlite } from './copy-sqlite';
import { isBackupPath, type BackupManifest } from './manifest';
import { isTemporary } from './temporary-files';

type Entries = Pick<BackupManifest, 'folders' | 'files'>;

/** Copies files of a project, and notes what was copied. */
export class ProjectCopy {
  readonly folders: BackupManifest['folders'] = [];
  readonly files: BackupManifest['files'] = [];
  /** Files that were not copied, with the reason. */
  readonly skipped: string[] = [];
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
    const names = (await readdir(source)).sort();
    await mkdir(path.join(this.#target, folder), { recursive: true, mode: 0o700 });
    this.folders.push({ path: folder, mode: info.mode & 0o777 });
    for (const name of names) {
      const one = `${folder}/${name}`;
      if (isExcluded(one) || (await isTemporary(path.join(source, name)))) continue;
      if (isBackupPath(one)) await this.#copyIfPresent(one, isExcluded);
      else this.#skip(one, 'its name contains a backslash or a control character');
    }
  }

  /** The service may remove or rename what it no longer needs, such as logs. */
  async #copyIfPresent(name: string, isExcluded: (name: string) => boolean): Promise<void> {
    try {
      await this.#copyEntry(name, isExcluded);
    } catch (error) {
      if (!(await isMissing(path.join(this.#root, name)))) throw error;
      // What is not in the manifest would make the backup invalid.
      await rm(path.join(this.#target, name), { force: true });
      this.#skip(name, 'it was removed in the meantime');
    }
  }

  async #copyEntry(name: string, isExcluded: (name: string) => boolean): Promise<void> {
    const source = path.join(this.#root, name);
    const isLink = (await lstat(source)).isSymbolicLink();
    const info = await stat(source).catch(() => undefined);
    if (info?.isFile() === true) await this.#copyFile(name, info.mode & 0o777);
    else if (info?.isDirectory() !== true) this.#skip(name, describe(info, isLink));
    else if (!isLink) await this.copy(name, isExcluded);
    // The service reads the configuration there. What else is linked may be anything, such as a volume.
    else if (!name.startsWith('config/')) this.#skip(name, 'a link to a folder');
    else if (await containsLink(source)) this.#skip(name, 'a link to a folder that contains it');
    else await this.copy(name, isExcluded);
  }

  #skip(name: string, reason: string): void {
    this.skipped.push(`${printable(name)} (${reason})`);
  }

  async #copyFile(name: string, mode: number): Promise<void> {
    const [source, target] = [path.join(this.#root, name), path.join(this.#target, name)];
    if (await isSqlite(source)) await copySqlite(source, target);
    else await copyFile(source, target);
    await chmod(target, 0o600);
    await syncFile(target);
    const { size } = await stat(target);
    this.files.push({ path: name, mode, bytes: size, sha256: await sha256(target) });
  }
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
