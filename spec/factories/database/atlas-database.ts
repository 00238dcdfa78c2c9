import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { copySqliteFile } from '../../../src/modules/database/adapters/sqlite/copy-file';

/** Where Atlas creates its database, from the root of a project. */
const FILE = path.join('data', 'atlas.sqlite');

/** The database as the first start leaves it: creating and filling it costs more than the rest of a start. */
const prepared = (): string => path.join(process.env.SPEC_PROGRAMS ?? '', 'atlas.sqlite');

/** Copies the prepared database to a project; the first project of a test run has none. */
export function copyAtlasDatabase(root: string): void {
  if (!existsSync(prepared())) return;
  mkdirSync(path.join(root, 'data'), { recursive: true });
  copyFileSync(prepared(), path.join(root, FILE));
}

/** Keeps the database that a first start has created for the other projects of this test run. */
export async function keepAtlasDatabase(root: string): Promise<void> {
  const source = path.join(root, FILE);
  if (existsSync(prepared()) || !existsSync(source)) return;
  const copy = `${prepared()}.${process.pid}`;
  await copySqliteFile(source, copy);
  renameSync(copy, prepared());
}
