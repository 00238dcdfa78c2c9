import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../config/error-code';
import { FileError, writing } from './file-error';

/** How long one waits for another's lock, in milliseconds. */
const PATIENCE = 5000;

/** Nobody holds a lock for so long, in milliseconds: asking for a password comes before it. */
const OLDEST = 30_000;

/**
 * Runs a task while no other process that asks for the same lock does. The lock is a file beside the locked one,
 * so that it works for a folder that several machines share; one that its holder left behind is broken.
 *
 * @param patience milliseconds to wait for another's lock
 * @throws FileError with the code `ELOCKED` when the lock is not to be had in time, or when the folder cannot be
 *   written
 */
export async function withLock<T>(
  path: string,
  task: () => Promise<T>,
  patience: number = PATIENCE,
): Promise<T> {
  const lock = `${path}.lock`;
  const mine = `${process.pid} ${hostname()} ${startOfProcess()} ${randomUUID()}\n`;
  const end = Date.now() + patience;
  while (!(await writing(path, () => take(lock, mine)))) {
    const held = await contentOf(lock);
    if (await isLeftBehind(lock, held)) await breakLock(lock, held);
    else if (Date.now() > end) {
      throw new FileError(path, 'ELOCKED', { hint: `, or delete ${lock} if there is none` });
    } else await delay(20);
  }
  try {
    return await task();
  } finally {
    // Only one's own: after a long pause it may have been broken and belong to another.
    if ((await contentOf(lock)) === mine) await rm(lock, { force: true });
  }
}

/** The lock appears with its owner's name in it: killed in between, one would leave a lock that names nobody. */
async function take(lock: string, mine: string): Promise<boolean> {
  const draft = `${lock}.${randomUUID()}`;
  try {
    await writeFile(draft, mine, { flag: 'wx', mode: 0o600 });
    await link(draft, lock);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function isLeftBehind(lock: string, held: string): Promise<boolean> {
  const [pid, host, start] = held.split(' ');
  if (host !== undefined && host === hostname()) {
    // In a container that was started anew, the dead holder had the number of the living.
    const isForerunner =
      Number(pid) === process.pid && /^\d+$/.test(start ?? '') && start !== startOfProcess();
    return isForerunner || !isAlive(Number(pid));
  }
  try {
    return Date.now() - (await stat(lock)).mtimeMs > OLDEST;
  } catch {
    return false;
  }
}

function startOfProcess(): string {
  return String(Math.round(performance.timeOrigin));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Of several who find the same lock left behind, the rename lets one break it. */
async function breakLock(lock: string, held: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
    // Another had broken it, and what was put aside is a lock in use: it goes back.
    if ((await contentOf(aside)) !== held) await link(aside, lock);
  } catch {
    // Another was faster.
  } finally {
    await rm(aside, { force: true });
  }
}

async function contentOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
}
