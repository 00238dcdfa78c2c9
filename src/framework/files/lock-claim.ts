import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '../errors/system-error-code';
import { formatOwner, type LockOwner } from './lock-owner';

/** The file of a claim that names its owner; its mtime is the last heartbeat. */
export const OWNER_FILE = 'owner';

/** The name of the folder in a lock, which is unique to its holder. */
const TOKEN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isToken = (name: string): boolean => TOKEN.test(name);

const STICKY = 0o1000;

/**
 * A folder that becomes the lock of a file when it is renamed to `FILE.lock`. It contains one folder with a unique
 * name, with the draft that will replace the file.
 */
export class LockClaim {
  readonly #lock: string;
  readonly #token: string;
  readonly #owner: FileHandle;
  readonly #text: string;

  private constructor(lock: string, token: string, owner: FileHandle, text: string) {
    [this.#lock, this.#token, this.#owner, this.#text] = [lock, token, owner, text];
  }

  /** @throws the error of the file system */
  static async create(lock: string, self: LockOwner): Promise<LockClaim> {
    const token = randomUUID();
    const folder = `${lock}.${token}`;
    const text = formatOwner(self);
    let owner: FileHandle | undefined;
    try {
      await makeLike(dirname(lock), folder);
      await makeLike(folder, join(folder, token));
      await (await open(join(folder, token, 'draft'), 'wx', 0o600)).close();
      owner = await open(join(folder, token, OWNER_FILE), 'wx', 0o644);
      await owner.write(text, 0);
      return new LockClaim(lock, token, owner, text);
    } catch (error) {
      await owner?.close();
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** The path of the replacement. It no longer exists once another process has broken the lock. */
  get draft(): string {
    return join(this.#lock, this.#token, 'draft');
  }

  /** The target path for removing the file. Its folder no longer exists once another process has broken the lock. */
  get removed(): string {
    return join(this.#lock, this.#token, 'removed');
  }

  /**
   * Acquires the lock with this claim.
   * @returns false while the lock is held; undefined if the claim was removed as abandoned
   */
  async acquire(): Promise<boolean | undefined> {
    try {
      // A folder can only replace an empty one.
      await rename(`${this.#lock}.${this.#token}`, this.#lock);
      return true;
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false;
      if (code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Writes a heartbeat. @returns its time in milliseconds, by the clock of the file system */
  async touch(): Promise<number> {
    await this.#owner.write(this.#text, 0);
    return (await this.#owner.stat()).mtimeMs;
  }

  /** Releases the lock, or removes the claim. A lock that cannot be removed is broken after its owner has ended. */
  async release(): Promise<void> {
    await this.#owner.close().catch(() => undefined);
    for (const folder of [join(this.#lock, this.#token), `${this.#lock}.${this.#token}`])
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    // An empty lock is free. Fails if another process has acquired it.
    await rmdir(this.#lock).catch(() => undefined);
  }
}

/** Creates a folder with the owner and mode of its parent: whoever may replace files there may break locks. */
async function makeLike(parent: string, folder: string): Promise<void> {
  const { mode, uid, gid } = await stat(parent);
  await mkdir(folder, { mode: 0o700 });
  // In sticky folders such as /tmp, only the owner of a file may replace it. Windows has neither such owners nor such modes.
  if ((mode & STICKY) !== 0 || process.platform === 'win32') return;
  // A link is not followed: the owner of the parent could give itself any folder with one, if this process is that of root.
  const created = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    await created.chown(uid, gid).catch(() => undefined);
    await created.chmod((mode & 0o777) | 0o700);
  } finally {
    await created.close();
  }
}
