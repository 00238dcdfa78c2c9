import { isSystemError, systemErrorCode } from '../errors/system-error-code';

/** The meaning of system error codes for a file, and what to do. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space and retry',
  EDQUOT: 'the disk quota is exceeded. Free some space and retry',
  EFBIG: 'it exceeds the file size limit. Reduce it or raise the limit',
  EACCES: 'the user of this process has no permission for it or its folder. Grant it',
  EPERM: 'the operation is not permitted. Check the owner and the flags of the file and its folder',
  EROFS: 'the file system is read-only. Mount it writable',
  EISDIR: 'it is a folder. Move it away',
  ENOTDIR: 'a file has the name of one of its folders. Move that file away',
  EEXIST: 'a file has the name of one of its folders. Move that file away',
  ENOENT: 'its folder is missing. Create it',
  ELOOP: 'its symbolic links form a loop. Fix them',
  EIO: 'the disk reported an error. Check the system log',
  EMFILE: 'too many files are open. Raise the limit, or wait',
  EBUSY: 'it is in use by the system, perhaps as a mount point. Mount its folder instead',
  ELOCKED: 'another process is changing it. Retry',
  ELOST: 'this process stalled while holding its lock, and another took over. Retry',
};

/** A file could not be written, and is unchanged, or not be read. The message says what to do. */
export class FileError extends Error {
  override readonly name = 'FileError';
  /** The system error code, such as `ENOSPC`; `ELOCKED` if the lock timed out, `ELOST` if it was lost. */
  readonly code: string;
  readonly path: string;

  constructor(
    path: string,
    code: string,
    {
      reason = REASONS[code] ?? `the system reported ${code === '' ? 'an error' : code}`,
      hint = '',
      use = 'written',
      ...options
    }: ErrorOptions & { readonly reason?: string; readonly hint?: string; readonly use?: FileUse } = {},
  ) {
    super(`${path} cannot be ${use}: ${reason}${hint}.`, options);
    this.code = code;
    this.path = path;
  }
}

type FileUse = 'written' | 'read';

/** Runs an action that writes or reads a file, and converts system errors to a {@link FileError}. */
export async function withFileErrors<T>(
  path: string,
  work: () => Promise<T>,
  use: FileUse = 'written',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isSystemError(error)) throw new FileError(path, systemErrorCode(error), { cause: error, use });
    throw error;
  }
}
