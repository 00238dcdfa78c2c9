import path from 'node:path';
import {
  ConfigurationError,
  isObject,
  makeFolder,
  readFileIfExists,
  replaceFile,
  errorMessage,
} from '../../../framework';
import type { DatabaseModel } from './table-model';

/** The file that holds the tables of a database, so that services are built without a connection. */
function snapshotFile(root: string, adapter: string): string {
  return path.join(root, 'config', 'db', `${adapter}.json`);
}

/** Reads the snapshot of a database. @throws ConfigurationError for a file that is not a snapshot */
export async function readSnapshot(root: string, adapter: string): Promise<DatabaseModel | undefined> {
  const file = snapshotFile(root, adapter);
  const bytes = await readFileIfExists(file);
  if (bytes === undefined) return undefined;
  const where = path.relative(root, file);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    throw new ConfigurationError(
      `${where}: ${errorMessage(error)}. Write it again: apidesc-platform db pull --adapter ${adapter}`,
      { cause: error },
    );
  }
  if (isObject(value) && isObject(value.tables)) return value as unknown as DatabaseModel;
  throw new ConfigurationError(
    `${where} is not a snapshot of a database. Write it again: apidesc-platform db pull --adapter ${adapter}`,
  );
}

/** Writes the snapshot of a database; tables are in alphabetical order, so that versions of the file can be compared. */
export async function writeSnapshot(root: string, adapter: string, model: DatabaseModel): Promise<string> {
  const file = snapshotFile(root, adapter);
  await makeFolder(path.dirname(file));
  await replaceFile(file, snapshotText(model), { mode: 0o644 });
  return file;
}

export function snapshotText({ tables, formerTables = {} }: DatabaseModel): string {
  const former = Object.keys(formerTables).length === 0 ? {} : { formerTables: sorted(formerTables) };
  return `${JSON.stringify({ tables: sorted(tables), ...former }, null, 2)}\n`;
}

/** Whether a snapshot has the tables of the database. */
export function isSnapshotOf({ tables }: DatabaseModel, actual: DatabaseModel): boolean {
  return snapshotText({ tables }) === snapshotText(actual);
}

function sorted(tables: DatabaseModel['tables']): DatabaseModel['tables'] {
  return Object.fromEntries(Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1)));
}
