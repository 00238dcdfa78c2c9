import { lstat, readdir } from 'node:fs/promises';
import { isSqlite } from './copy-sqlite';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Claims to locks and drafts of running processes (`src/framework/files`). */
const DRAFT = new RegExp(`\\.(?:lock\\.${UUID}|${UUID}\\.tmp)$`);
const ONLY_UUID = new RegExp(`^${UUID}$`);
const SQLITE_COMPANION = /-(?:wal|shm|journal)$/;

/**
 * Whether a file or folder belongs to running processes: a lock, a draft, or a companion of a SQLite database. The names
 * alone do not decide for `flake.lock` or `trip-journal`.
 */
export async function isTemporary(file: string): Promise<boolean> {
  if (DRAFT.test(file)) return true;
  if (SQLITE_COMPANION.test(file))
    return (await isFile(file)) && (await isDatabase(file.replace(SQLITE_COMPANION, '')));
  return file.endsWith('.lock') && (await isLock(file));
}

async function isFile(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined))?.isFile() === true;
}

async function isDatabase(file: string): Promise<boolean> {
  return (await isFile(file)) && isSqlite(file).catch(() => false);
}

/** A lock is a folder with one that has a unique name. Without content, it is free; also one that has just been removed. */
async function isLock(file: string): Promise<boolean> {
  const info = await lstat(file).catch(() => undefined);
  if (info === undefined) return true;
  if (!info.isDirectory()) return info.isFile() && info.size === 0;
  const names = await readdir(file).catch(() => undefined);
  return names?.every((name) => ONLY_UUID.test(name)) ?? false;
}
