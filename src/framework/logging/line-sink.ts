import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';

const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_WRONLY } = constants;

/** Where octets go, in order. */
export interface LineSink {
  /** @returns how many octets were taken; throws when none can be, with the code `EAGAIN` while a reader is slow */
  write(bytes: Uint8Array): number;
  close(): void;
}

/** The standard streams that lines go to, by their descriptors. */
export const STANDARD_OUTPUT = 1;
export const STANDARD_ERROR = 2;

/**
 * The end of a file, which may be a named pipe: nothing waits for who reads it.
 * @param file absolute
 * @throws Error of the file system
 */
export function openFileSink(file: string): LineSink {
  return descriptorSink(openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o666), true);
}

/** A standard stream, which is never waited for where the system has a way to write without. */
export function openStandardSink(stream: typeof STANDARD_OUTPUT | typeof STANDARD_ERROR): LineSink {
  if (!canStall(stream)) return descriptorSink(stream, false);
  try {
    // Opened anew, it does not wait whatever other processes that share the old one ask of it. Linux only.
    const own = openSync(`/proc/self/fd/${stream}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
    return descriptorSink(own, true);
  } catch {
    // A socket, or a pipe of another user: made not to wait by Node, when the stream is first asked for.
    const { fd } = stream === STANDARD_OUTPUT ? process.stdout : process.stderr;
    return descriptorSink(fd, false);
  }
}

function canStall(descriptor: number): boolean {
  try {
    // Not as numbers: what they are kept in would make `realpathSync` take the links of the next paths for pipes, so that
    // modules that are linked (`npm link`, pnpm) would be loaded a second time.
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
