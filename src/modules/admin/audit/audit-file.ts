import { open, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createForOwner,
  FileError,
  makeFolder,
  systemErrorCode,
  withFileErrors,
  type ReopenableLog,
} from '../../../framework';

/** A torn line is at most this long: longer entries are cut off. */
const MAX_TORN_BYTES = 1_048_576;

/** How long a line without an end may still be written by another process, in milliseconds. */
const SETTLE_MS = 100;

const LINE_BREAK = 10;

/**
 * A file that lines are appended to, by several processes: each line is one write, and is on disk when `append`
 * resolves. A line that a killed process wrote in part is removed before the next one is written.
 */
export class AuditFile implements ReopenableLog {
  readonly path: string;
  readonly #onRepair: (torn: string) => string;
  #handle: FileHandle | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param file absolute
   * @param onRepair returns the line that reports a removed one
   */
  constructor(file: string, onRepair: (torn: string) => string) {
    this.path = file;
    this.#onRepair = onRepair;
  }

  /** @param line with its line break. @throws FileError if it cannot be written; the file is then unchanged */
  append(line: string): Promise<void> {
    return this.#enqueue(() =>
      withFileErrors(this.path, async () => {
        const handle = await this.#open();
        await this.#write(handle, line);
        await handle.datasync();
      }),
    );
  }

  /** Opens the file and repairs its end, if it exists. @throws FileError */
  prepare(): Promise<void> {
    return this.#enqueue(() =>
      withFileErrors(this.path, async () => {
        if (await exists(this.path)) await this.#open();
      }),
    );
  }

  /** The next line is written to the file that has the name then. */
  reopen(): void {
    void this.close();
  }

  /** Closes the file after pending lines; a further line opens it again. */
  close(): Promise<void> {
    return this.#enqueue(async () => {
      const handle = this.#handle;
      this.#handle = undefined;
      await handle?.close().catch(() => undefined);
    });
  }

  #enqueue<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle !== undefined) {
      if ((await this.#handle.stat()).nlink > 0) return this.#handle;
      // The file was removed: nobody could read what is written to it.
      await this.#handle.close();
      this.#handle = undefined;
    }
    await makeFolder(path.dirname(this.path), 0o700);
    createForOwner(this.path, 0o600);
    const handle = await open(this.path, 'a+', 0o600);
    try {
      await this.#repair(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    return handle;
  }

  async #write(handle: FileHandle, line: string): Promise<void> {
    const bytes = Buffer.from(line);
    const { bytesWritten } = await handle.write(bytes);
    if (bytesWritten === bytes.length) return;
    await this.#takeBack(handle, bytes.subarray(0, bytesWritten));
    throw new FileError(this.path, 'ENOSPC');
  }

  /** Removes the part of a line that was written, unless another process has appended to it. */
  async #takeBack(handle: FileHandle, part: Buffer): Promise<void> {
    const { size } = await handle.stat();
    const end = await read(handle, size - part.length, part.length);
    if (end.equals(part)) await handle.truncate(size - part.length);
  }

  async #repair(handle: FileHandle): Promise<void> {
    const torn = await tornLine(handle);
    if (torn.length === 0) return;
    // Another process may be writing the line right now.
    await pause(SETTLE_MS);
    const again = await tornLine(handle);
    if (!again.equals(torn)) return;
    const { size } = await handle.stat();
    await handle.truncate(size - torn.length);
    await this.#write(handle, this.#onRepair(torn.toString('utf8')));
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => systemErrorCode(error) !== 'ENOENT',
  );
}

/** Returns the bytes after the last line break. */
async function tornLine(handle: FileHandle): Promise<Buffer> {
  const { size } = await handle.stat();
  const length = Math.min(size, MAX_TORN_BYTES);
  const last = await read(handle, size - 1, Math.min(size, 1));
  if (last.length === 0 || last[0] === LINE_BREAK) return Buffer.alloc(0);
  const end = await read(handle, size - length, length);
  return end.subarray(end.lastIndexOf(LINE_BREAK) + 1);
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
