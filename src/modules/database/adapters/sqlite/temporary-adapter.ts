import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SqliteAdapter, type SqliteOptions } from './sqlite-adapter';

/**
 * An empty database in place of a file that does not exist, for commands that show what the start would create. Its
 * first use creates it, and its end deletes it.
 */
class TemporarySqliteAdapter extends SqliteAdapter {
  override readonly isTemporary = true;
  readonly #folder: string;

  constructor(options: SqliteOptions) {
    const folder = path.join(tmpdir(), `apidesc-database-${randomUUID()}`);
    super({ ...options, file: path.join(folder, path.basename(options.file)) }, options.file);
    this.#folder = folder;
  }

  override async close(): Promise<void> {
    await super.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Opens a file for a read-only command. One that cannot be created is opened nevertheless, which gives the reason. */
export function openUnchanged(options: SqliteOptions): SqliteAdapter {
  const { file } = options;
  return existsSync(file) || !isWritableFolder(closestExisting(path.dirname(file)))
    ? new SqliteAdapter(options)
    : new TemporarySqliteAdapter(options);
}

function closestExisting(folder: string): string {
  return existsSync(folder) || path.dirname(folder) === folder
    ? folder
    : closestExisting(path.dirname(folder));
}

function isWritableFolder(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
