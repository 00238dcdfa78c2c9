import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { assertDriver } from './main-connection';
import { openDatabase, sqliteDriver, type SqliteDatabase } from './sqlite-driver';
import { failureOf, isFileFailure, isReadOnly } from './sqlite-failure';

/** All pages in one step: otherwise every write of another process restarts the copy. */
const ALL_PAGES = 2_147_483_647;

/**
 * Copies a database that other connections may write: the copy is its state at one point in time, without companion
 * files, by the online backup of SQLite (https://www.sqlite.org/backup.html).
 *
 * @param target must not exist
 * @throws the errors of SQLite, also for a damaged database; ConfigurationError if no driver is installed
 */
export async function copySqliteFile(source: string, target: string): Promise<void> {
  assertDriver();
  const { modified } = stateOf(source);
  const { database, isImmutable } = openToCopy(source);
  try {
    await sqliteDriver().backup(database, target, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  if (isImmutable && (stateOf(source).modified !== modified || stateOf(source).hasLog))
    throw new Error('it was changed in the meantime');
  check(target);
}

/**
 * Reading a closed database creates the companion files of its write-ahead log, which a file system that is full or
 * read-only prevents. Nobody can write it there: it is read without them (https://www.sqlite.org/uri.html#uriimmutable).
 */
function openToCopy(source: string): { readonly database: SqliteDatabase; readonly isImmutable: boolean } {
  const database = openDatabase(source);
  try {
    database.exec('PRAGMA busy_timeout = 10000; PRAGMA schema_version');
    return { database, isImmutable: false };
  } catch (error) {
    database.close();
    const failure = failureOf(error);
    if (!(isFileFailure(failure) || isReadOnly(failure)) || stateOf(source).hasLog) throw error;
  }
  return { database: openDatabase(`${pathToFileURL(source).href}?immutable=1`), isImmutable: true };
}

/** When the file was changed, and whether there are changes that it does not contain. */
function stateOf(source: string): { readonly modified: number | undefined; readonly hasLog: boolean } {
  return {
    modified: statSync(source, { throwIfNoEntry: false })?.mtimeMs,
    hasLog: ['-wal', '-journal'].some(
      (suffix) => (statSync(source + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0,
    ),
  };
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
