import { isFolder } from '../../../../framework';
import type { DatabaseAdapter } from '../database-adapter';
import type { DatabaseError } from '../database-error';

/** The sentence that says what to do about a database that cannot be reached at the start; empty if its error does. */
export function unreachableAdvice(
  { dialect, target }: Pick<DatabaseAdapter, 'dialect' | 'target'>,
  { message }: DatabaseError,
  fileOption: string,
): string {
  if (dialect !== 'sqlite') return '';
  if (isFolder(target)) return ` It is a folder: move it away, or set ${fileOption} to another file.`;
  if (/not a database|malformed/.test(message))
    return ` Restore the file from a backup, or move it away, and the next start creates an empty one.`;
  // SQLite reports a disk without space for its shared memory as an I/O error.
  const cause = /disk (?:is full|I\/O error)/.exec(message)?.[0];
  if (cause !== undefined)
    return ` Free space on its disk${cause === 'disk is full' ? '' : ', in case it is full'}, or set ${fileOption} to a file on another one.`;
  return ` Make its folder writable, or set ${fileOption} to a file in one that is.`;
}
