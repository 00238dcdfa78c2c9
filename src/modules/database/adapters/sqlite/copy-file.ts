import { sqliteDriver } from './sqlite-driver';

/** All pages in one step: otherwise every write of another process restarts the copy. */
const ALL_PAGES = 2_147_483_647;

/**
 * Copies a database that other connections may write: the copy is its state at one point in time, without companion
 * files, by the online backup of SQLite (https://www.sqlite.org/backup.html).
 *
 * @param target must not exist
 * @throws the errors of SQLite, also for a damaged database; an error if no driver is installed
 */
export async function copySqliteFile(source: string, target: string): Promise<void> {
  const { DatabaseSync, backup } = sqliteDriver();
  const database = new DatabaseSync(source);
  try {
    database.exec('PRAGMA busy_timeout = 10000');
    await backup(database, target, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  check(target);
}

function check(file: string): void {
  const copy = new (sqliteDriver().DatabaseSync)(file);
  try {
    // Without companion files, which would not be part of a backup.
    copy.exec('PRAGMA journal_mode = DELETE');
    const [first] = copy.prepare('PRAGMA quick_check(1)').all() as { readonly quick_check: string }[];
    if (first?.quick_check !== 'ok') throw new Error(`it is damaged (${first?.quick_check})`);
  } finally {
    copy.close();
  }
}
