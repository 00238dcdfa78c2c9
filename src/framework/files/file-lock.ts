import { lstat, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from '../errors/system-error-code';
import { FileError, withFileErrors } from './file-error';
import { HeldLock } from './held-lock';
import { removeLeftovers } from './leftovers';
import { isToken, LockClaim, OWNER_FILE } from './lock-claim';
import { currentOwner, hasEnded, parseOwner, type LockOwner } from './lock-owner';

/** How long to wait for another process, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Milliseconds without a heartbeat after which a lock is broken if its owner cannot be checked. */
const LEASE_MS = 10_000;

/** The same for the lock of an earlier version: a file, without a heartbeat. */
const OLD_LEASE_MS = 30_000;

/**
 * Runs a task while holding the exclusive lock of a file, among the tasks of this process and among processes.
 *
 * Node has no system lock that is released when its holder ends, and a native package would support one machine only.
 * So the lock is a folder next to the file, `FILE.lock`, with these rules:
 *
 * - It contains one folder with a unique name, which contains an owner and a draft. It is prepared under another
 * name, and
 *   acquired by a rename, which fails while a lock that is not empty exists. An empty or missing lock is free.
 * - The file is written by renaming the draft over it. The draft exists from the beginning and is never created again.
 * - A lock is broken by removing the folder in it. Its name is unique to one holder: nobody can remove the lock of the
 *   next holder, and several processes can break the same lock at once.
 *
 * So the rename of the draft and its removal exclude each other in the file system. The holder after a broken lock
 * sees every earlier write, and the process that lost it cannot write any more, whether it was killed, stopped, or
 * wrongly considered dead. The decision to break a lock is therefore not critical for safety, and may depend on
 * clocks, PIDs and machines that share the folder: immediately if the owner has certainly ended, otherwise after
 * {@link LEASE_MS} without a heartbeat.
 *
 * @param task receives the lock, with which it can write the file once
 * @param timeout milliseconds to wait for other processes
 * @throws FileError with the code `ELOCKED` if the lock is not available in time, `ELOST` if the task held it without
 * a
 *   heartbeat and another process took it over, or a system error if the folder cannot be written
 */
export async function withLock<T>(
  path: string,
  task: (lock: HeldLock) => Promise<T>,
  timeout: number = TIMEOUT_MS,
): Promise<T> {
  return enqueue(path, async () => {
    const lock = new HeldLock(path, await withFileErrors(path, () => acquire(path, timeout)));
    try {
      await withFileErrors(path, () => removeLeftovers(path));
      return await task(lock);
    } finally {
      await lock.release();
    }
  });
}

async function acquire(path: string, timeout: number): Promise<LockClaim> {
  const lock = `${path}.lock`;
  const self = await currentOwner();
  const end = performance.now() + timeout;
  /** How often the lock has seemed to be free since it was last held. */
  let free = 0;
  let claim = await LockClaim.create(lock, self);
  try {
    for (;;) {
      const isAcquired = await claim.acquire();
      if (isAcquired === true) return claim;
      if (isAcquired === undefined) {
        await claim.release();
        claim = await LockClaim.create(lock, self);
        continue;
      }
      const holder = await breakIfAbandoned(lock, self, await claim.touch());
      free = holder === 'none' ? free + 1 : 0;
      // One that cannot be removed seems to be free each time.
      if (free === 1) continue;
      if (performance.now() > end) throw lockedError(path, lock, holder);
      // Random, so that waiting processes do not run in step.
      await delay(5 + Math.random() * 15);
    }
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** `foreign` for something that is not a lock; `none` if the lock may be free now; undefined for an unknown holder. */
type Holder = LockOwner | 'foreign' | 'none' | undefined;

function lockedError(path: string, lock: string, holder: Holder): FileError {
  if (holder === 'none')
    return new FileError(path, 'ELOCKED', { reason: `the lock ${lock} cannot be removed. Remove it` });
  if (holder === 'foreign')
    return new FileError(path, 'ELOCKED', { reason: `${lock} is not a lock. Move it away` });
  const who = holder === undefined ? '' : ` by process ${holder.pid} on ${holder.host}`;
  return new FileError(path, 'ELOCKED', { hint: ` (${lock} is held${who})` });
}

async function breakIfAbandoned(lock: string, self: LockOwner, now: number): Promise<Holder> {
  try {
    // Through a link, files would be removed that are not of a lock.
    if ((await lstat(lock)).isSymbolicLink()) return 'foreign';
    const names = await readdir(lock);
    const token = names.find(isToken);
    if (token === undefined) return names.length === 0 ? 'none' : 'foreign';
    return await breakClaimIfAbandoned(join(lock, token), self, now);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return 'none';
    if (code === 'ENOTDIR') return (await isOldLockBroken(lock, now)) ? 'none' : undefined;
    // Without permission to read the lock: wait.
    if (code === 'EACCES' || code === 'EPERM') return undefined;
    throw error;
  }
}

async function breakClaimIfAbandoned(folder: string, self: LockOwner, now: number): Promise<Holder> {
  const file = join(folder, OWNER_FILE);
  const seen = await mtimeOf(file);
  // Without an owner file it is about to be removed.
  if (seen !== undefined) {
    const owner = parseOwner(await readFile(file, 'utf8'));
    const hasOwnerEnded = owner !== undefined && (await hasEnded(owner, self));
    // An mtime in the future was written before a clock was set back.
    if (!hasOwnerEnded && Math.abs(now - seen) <= LEASE_MS) return owner;
  }
  await rm(folder, { recursive: true, force: true });
  return 'none';
}

async function isOldLockBroken(lock: string, now: number): Promise<boolean> {
  const seen = await mtimeOf(lock);
  if (seen !== undefined && Math.abs(now - seen) <= OLD_LEASE_MS) return false;
  // Fails for a folder, which a new lock is.
  await unlink(lock).catch(() => undefined);
  return true;
}

async function mtimeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The last task of each file; process-wide by nature, since files are. Entries are removed after their last task. */
const lastTasks = new Map<string, Promise<unknown>>();

/** Runs the tasks of a file sequentially, first come, first served. */
async function enqueue<T>(path: string, task: () => Promise<T>): Promise<T> {
  const key = resolve(path);
  const result = (lastTasks.get(key) ?? Promise.resolve()).then(task);
  const ended = result.catch(() => undefined);
  lastTasks.set(key, ended);
  try {
    return await result;
  } finally {
    if (lastTasks.get(key) === ended) lastTasks.delete(key);
  }
}
