import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../../../framework';

/** A file below the project's root. */
export interface ProjectFile {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly absolute: string;
  /** Behind symbolic links. */
  readonly real: string;
}

/** A path that is not taken; the message says why, as the end of a sentence that begins with the path. */
export class PathRefusal extends Error {
  override readonly name = 'PathRefusal';
}

/**
 * The file that somebody means by a path, whether it exists or not. It must lie below the project's root, also
 * behind symbolic links.
 *
 * @param root the project's root, absolute
 * @param typed relative to the root, or absolute
 * @throws PathRefusal
 */
export async function projectFile(root: string, typed: string): Promise<ProjectFile> {
  if (typed.trim() === '') throw new PathRefusal('names no file');
  if (/\p{Cc}/u.test(typed)) throw new PathRefusal('has control characters');
  const absolute = path.resolve(root, typed);
  if (!isBelow(root, absolute)) throw new PathRefusal(OUTSIDE);
  const real = await behindLinks(absolute);
  if (!isBelow(await realpath(root), real)) {
    throw new PathRefusal(`${OUTSIDE}, behind a symbolic link`);
  }
  return { path: path.relative(root, absolute).split(path.sep).join('/'), absolute, real };
}

const OUTSIDE = 'is outside the folder of the project; only files below it are used here';

function isBelow(root: string, file: string): boolean {
  const relative = path.relative(root, file);
  return relative !== '' && !path.isAbsolute(relative) && relative.split(path.sep)[0] !== '..';
}

/** Where a path leads; of what does not exist yet, its nearest folder that does. */
async function behindLinks(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (errorCode(error) === 'ELOOP') throw new PathRefusal('leads in a circle of symbolic links');
    if (errorCode(error) === 'ENOTDIR') throw new PathRefusal('has a file where a folder should be');
    if (errorCode(error) !== 'ENOENT') throw new PathRefusal(`cannot be looked at (${errorCode(error)})`);
    const link = await lstat(file).catch(() => undefined);
    if (link !== undefined) throw new PathRefusal('is a symbolic link that leads nowhere');
    return path.join(await behindLinks(path.dirname(file)), path.basename(file));
  }
}
