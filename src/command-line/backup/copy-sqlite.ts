import { errorMessage } from '../../framework';
import { open } from 'node:fs/promises';
import { copySqliteFile } from '../../modules/database';
import { UsageError } from '../usage-error';

/** The first bytes of a database (https://www.sqlite.org/fileformat.html, 1.3). */
const MAGIC = Buffer.from('SQLite format 3\0');

/** Whether a file is a SQLite database. */
export async function isSqlite(file: string): Promise<boolean> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    return bytesRead === MAGIC.length && buffer.equals(MAGIC);
  } finally {
    await handle.close();
  }
}

/**
 * Copies a database that other processes may write, in its state at one point in time.
 * @throws UsageError if that is not possible
 */
export async function copySqlite(source: string, target: string): Promise<void> {
  try {
    await copySqliteFile(source, target);
  } catch (error) {
    const reason = errorMessage(error);
    throw new UsageError(`The database ${source} cannot be copied: ${reason}`);
  }
}
