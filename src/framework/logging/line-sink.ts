import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { createFolders, createForOwner } from '../files/create-folders';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/** A non-blocking destination of bytes. */
export interface LineSink {
  /**
   * @param bytes overwritten after the call
   * @returns the number of bytes written
   * @throws if none can be written, with the code `EAGAIN` for a slow reader
   */
  write(bytes: Uint8Array): number;
  close(): void;
  /** Whether the file was removed, so that nobody can read what is written. */
  isDetached?(): boolean;
  /** Opens the file again, by its name. @throws the error of the file system */
  reopen?(): LineSink;
}

/** The file descriptors of the standard streams. */
export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/**
 * Opens a file or named pipe for appending without blocking, and creates missing folders.
 * @param file an absolute path
 * @param mode of a new file
 * @throws the error of the file system
 */
export function openFileSink(file: string, mode = 0o666): LineSink {
  createFolders(path.dirname(file));
  createForOwner(file, mode);
  const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, mode);
  return {
    ...descriptorSink(descriptor, true),
    isDetached: () => fstatSync(descriptor, { bigint: true }).nlink === 0n,
    reopen: () => openFileSink(file, mode),
  };
}

/**
 * Opens a file as `openFileSink` does, or with the first line if it does not exist: then it is only checked that it can be
 * created.
 * @throws the error of the file system
 */
export function deferredFileSink(file: string): LineSink {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return openFileSink(file);
  let target = file;
  while (lstatSync(target, { throwIfNoEntry: false }) !== undefined)
    target = path.resolve(realpathSync(path.dirname(target)), readlinkSync(target));
  if (target === file) assertCreatable(path.dirname(file));
  // A link to nothing: the folder that it leads to will not be created.
  else assertWritable(path.dirname(target));
  let sink: LineSink | undefined;
  return {
    write: (bytes) => (sink ??= openFileSink(file)).write(bytes),
    close: () => sink?.close(),
  };
}

/** @throws the error of the file system if nothing can be created in a folder, which may be missing itself */
function assertCreatable(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) assertCreatable(path.dirname(folder));
  else assertWritable(folder);
}

function assertWritable(folder: string): void {
  // The entry `.` exists in folders only.
  accessSync(`${folder}${path.sep}.`, constants.W_OK | constants.X_OK);
}

/** Opens a standard stream, non-blocking where the system supports it. */
export function openStandardSink(stream: typeof STANDARD_OUTPUT | typeof STANDARD_ERROR): LineSink {
  if (!canBlock(stream)) return descriptorSink(stream, false);
  try {
    // A new open file description is non-blocking regardless of the processes that share the old one. Linux only.
    const own = openSync(`/proc/self/fd/${stream}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
    return descriptorSink(own, true);
  } catch {
    // A socket, or a pipe of another user: Node makes it non-blocking on the first access to the stream.
    const { fd } = stream === STANDARD_OUTPUT ? process.stdout : process.stderr;
    return descriptorSink(fd, false);
  }
}

function canBlock(descriptor: number): boolean {
  try {
    // With numbers instead of bigint, Node reuses a buffer that makes `realpathSync` treat subsequent links as pipes,
    // so that linked modules (`npm link`, pnpm) would be loaded twice.
    return !fstatSync(descriptor, { bigint: true }).isFile();
  } catch {
    return false;
  }
}

function descriptorSink(descriptor: number, isOwn: boolean): LineSink {
  return {
    write: (bytes) => writeSync(descriptor, bytes),
    close: () => {
      if (isOwn) closeSync(descriptor);
    },
  };
}
