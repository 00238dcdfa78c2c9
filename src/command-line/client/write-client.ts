import path from 'node:path';
import { makeFolder, readFileIfExists, replaceFile, resolveLink, withFileErrors } from '../../framework';
import { UsageError } from '../usage-error';
import { MARKER } from './client-text';

/**
 * Refuses a file that another program or a person has written.
 * @throws UsageError @throws FileError
 */
export async function assertReplaceable(file: string): Promise<void> {
  const before = await withFileErrors(file, () => readFileIfExists(file));
  if (before === undefined || before.length === 0 || before.toString().startsWith(MARKER)) return;
  throw new UsageError(
    `${file} was not written by this command, so it is not overwritten. Choose another file with --output, or delete it.`,
  );
}

/**
 * Writes a client, with the folder of its file.
 * @returns whether the file has changed
 * @throws UsageError for a file that must not be replaced @throws FileError
 */
export async function writeClient(file: string, text: string): Promise<boolean> {
  const folder = path.dirname(file);
  await withFileErrors(folder, () => makeFolder(folder));
  const target = await resolveLink(file);
  await assertReplaceable(target);
  if ((await readFileIfExists(target))?.toString() === text) return false;
  await replaceFile(target, text, { mode: 0o644 });
  return true;
}
