import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathInside, systemErrorCode } from '../../../../framework';

/** A file in the project folder. */
export interface ProjectFile {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly absolute: string;
  /** With symbolic links resolved. */
  readonly real: string;
}

/** A rejected path; the message is the end of a sentence that starts with the path. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/**
 * Resolves a path, whether the file exists or not. It must be in the project folder, even through symbolic links.
 *
 * @param root the project root, absolute
 * @param input relative to the root, or absolute
 * @throws PathError
 */
export async function projectFile(root: string, input: string): Promise<ProjectFile> {
  if (input.trim() === '') throw new PathError('is not a file name');
  if (/\p{Cc}/u.test(input)) throw new PathError('contains control characters');
  const absolute = path.resolve(root, input);
  if (!isBelow(root, absolute)) throw new PathError(OUTSIDE);
  const real = await resolveLinks(absolute);
  if (!isBelow(await realpath(root), real)) {
    throw new PathError(`${OUTSIDE}, through a symbolic link`);
  }
  return { path: path.relative(root, absolute).split(path.sep).join('/'), absolute, real };
}

const OUTSIDE = 'is outside the project folder';

export function isBelow(root: string, file: string): boolean {
  const inside = pathInside(root, file);
  return inside !== undefined && inside !== '';
}

/** Resolves symbolic links; for a missing file, those of its closest existing folder. */
export async function resolveLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ELOOP') throw new PathError('has circular symbolic links');
    if (systemErrorCode(error) === 'ENOTDIR') throw new PathError('has a file in place of a folder');
    if (systemErrorCode(error) !== 'ENOENT')
      throw new PathError(`cannot be accessed (${systemErrorCode(error)})`);
    const link = await lstat(file).catch(() => undefined);
    if (link !== undefined) throw new PathError('is a broken symbolic link');
    return path.join(await resolveLinks(path.dirname(file)), path.basename(file));
  }
}
