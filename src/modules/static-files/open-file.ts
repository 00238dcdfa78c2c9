import { once } from 'node:events';
import { fstat, ReadStream, type Stats } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { send } from '@fastify/send';
import { satisfiableRanges } from './byte-ranges';

const statsOf = promisify(fstat);

/** A file that is open, or why it is not. */
export type OpenedFile =
  | {
      readonly kind: 'open';
      readonly status: number;
      readonly fields: Readonly<Record<string, string | number>>;
      readonly stream: Readable;
    }
  /** The range is beyond the end of the file. */
  | { readonly kind: 'no range' }
  /** The file was replaced or removed since it was found. */
  | { readonly kind: 'changed' };

/**
 * Opens a file, or a range of it (RFC 9110, 14.2).
 *
 * @param file its absolute path
 * @param stats of the file that was found
 * @param range the field value; undefined for the whole file
 */
export async function openFile(
  file: string,
  stats: Stats,
  method: string,
  range: string | undefined,
): Promise<OpenedFile> {
  const ranges = range === undefined ? undefined : satisfiableRanges(range, stats.size);
  if (ranges?.length === 0) return { kind: 'no range' };
  // The validators and their preconditions are those of the platform.
  const headers = ranges === undefined ? {} : { range: `bytes=${ranges.join()}` };
  const request = Object.assign(new Readable(), { method, headers });
  const {
    type,
    statusCode,
    headers: fields,
    stream,
    ...result
  } = await send(request, encodeURIComponent(file), {
    dotfiles: 'allow',
    index: false,
    etag: false,
    lastModified: false,
    cacheControl: false,
    contentType: false,
  });
  // A range is within the file that was found.
  const isChanged = type === 'directory' || (type === 'error' && [404, 416].includes(statusCode));
  if (isChanged) return { kind: 'changed' };
  if (type === 'error')
    throw 'error' in result.metadata ? result.metadata.error : new Error(`Cannot read ${file}.`);
  if (stream instanceof ReadStream && !(await isSame(stream, stats))) {
    stream.destroy();
    return { kind: 'changed' };
  }
  return { kind: 'open', status: statusCode, fields, stream };
}

/** Whether the file that was opened is the one that was found: files are replaced while they are served. */
async function isSame(stream: ReadStream, { ino, size, mtimeMs }: Stats): Promise<boolean> {
  try {
    const [descriptor] = (await once(stream, 'open')) as [number];
    const opened = await statsOf(descriptor);
    return opened.ino === ino && opened.size === size && opened.mtimeMs === mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
