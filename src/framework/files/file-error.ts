import { errorCode } from '../config/error-code';

/** What the system's codes mean to who wants a file written, and what to do. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Make room, and try again',
  EDQUOT: 'the disk quota is used up. Make room, and try again',
  EFBIG: 'it would be larger than the system allows. Make it smaller, or raise the limit',
  EACCES: 'the user of this process may not use it, or its folder. Give it the right',
  EPERM: 'the system does not permit it. Look at the owner and the flags of file and folder',
  EROFS: 'the file system is read-only. Mount it for writing',
  EISDIR: 'there is a folder where the file should be. Move it away',
  ENOTDIR: 'there is a file where a folder should be. Move it away',
  EEXIST: 'there is a file where a folder should be. Move it away',
  ENOENT: 'its folder is missing. Create it',
  ELOOP: 'its symbolic links lead in a circle. Mend them',
  EIO: 'the disk has failed. Look at the log of the system',
  EMFILE: 'too many files are open. Raise the limit, or wait',
  ELOCKED: 'another process is changing it. Try again',
};

/**
 * A file that could not be written; everything is as it was before. The message is a sentence for people, with
 * what to do.
 */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** The code of the system's error, such as `ENOSPC`; `ELOCKED` for a lock that was not to be had. */
  readonly code: string;
  readonly path: string;

  constructor(path: string, code: string, options: ErrorOptions & { readonly hint?: string } = {}) {
    const reason = REASONS[code] ?? `the system says ${code === '' ? 'no' : code}`;
    super(`${path} cannot be written: ${reason}${options.hint ?? ''}.`, options);
    this.code = code;
    this.path = path;
  }
}

/** Runs what writes a file; what the system says against it becomes a {@link FileError}. */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Only the system's errors have a code and the name of the call that failed.
    if (typeof error === 'object' && error !== null && 'syscall' in error)
      throw new FileError(path, errorCode(error), { cause: error });
    throw error;
  }
}
