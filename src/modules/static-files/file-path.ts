import { percentDecoded } from '../../framework';

/** The path segment of well-known locations (RFC 8615), the only one that may begin with a dot. */
const WELL_KNOWN = '.well-known';

/** The file of a folder that a path names. */
export interface FilePath {
  /** Decoded; without any, the folder itself is meant. */
  readonly segments: readonly string[];
  /** Whether the path ends with a slash. */
  readonly isDirectory: boolean;
}

/**
 * Returns the file that a path below a folder names; undefined for a path that can name none: with empty segments, dot
 * segments, hidden files, and characters that separate paths on some systems, encoded or not.
 *
 * @param path percent-encoded, from the first slash below the folder: `/assets/app.js`; may be empty
 */
export function filePathOf(path: string): FilePath | undefined {
  const isDirectory = path.endsWith('/');
  const inner = path.slice(1, isDirectory ? -1 : undefined);
  if (inner === '') return path.length > 1 ? undefined : { segments: [], isDirectory };
  const segments = inner.split('/').map(percentDecoded);
  return segments.every(isFileName) ? { segments, isDirectory } : undefined;
}

function isFileName(segment: string | undefined, at: number): segment is string {
  if (segment === undefined || segment === '') return false;
  if (segment.startsWith('.') && !(segment === WELL_KNOWN && at === 0)) return false;
  // A colon names drives and streams on Windows; it occurs in no file name there.
  return !/[\0/\\]/.test(segment) && !(process.platform === 'win32' && segment.includes(':'));
}

/** Whether the last segment of a path has an extension, as assets have and pages of applications do not. */
export function hasExtension({ segments }: FilePath): boolean {
  return /\.[^.]+$/.test(segments.at(-1) ?? '');
}
