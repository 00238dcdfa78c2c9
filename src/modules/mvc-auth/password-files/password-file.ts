import { readFile } from 'node:fs/promises';
import { errorCode } from '../../../framework';
import { FileWatch, fileMark } from './file-watch';

/** A password file cannot be read. */
export class PasswordFileError extends Error {
  override readonly name = 'PasswordFileError';
  readonly path: string;
  /** There is no such file, as opposed to one that may not be read. */
  readonly missing: boolean;

  constructor(path: string, missing: boolean, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
    this.missing = missing;
  }
}

/** Reads the text of a password file as UTF-8; throws {@link PasswordFileError}. */
async function readPasswordFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = missing ? `there is no file ${path}` : `the file ${path} can't be read (${code})`;
    throw new PasswordFileError(path, missing, message, { cause: error });
  }
}

/** A password file that is read once, kept as a table, and read again whole when it changes. */
export class PasswordFile<Table> {
  #current: Table;
  #watch: FileWatch | undefined;

  private constructor(current: Table) {
    this.#current = current;
  }

  /**
   * Reads a file and begins to watch it. Throws {@link PasswordFileError} when there is nothing to read now;
   * when that happens later, the last table is kept.
   *
   * @param read makes the table of a text; `previous` is the one that it follows
   * @param listener `changed` after a new table is in place, `failed` with the reason why the last one is kept
   */
  static async open<Table>(
    path: string,
    read: (text: string, previous?: Table) => Table,
    listener: {
      readonly changed: (table: Table) => void;
      readonly failed: (reason: string) => void;
    },
  ): Promise<PasswordFile<Table>> {
    const mark = await fileMark(path);
    const file = new PasswordFile(read(await readPasswordFile(path)));
    file.#watch = new FileWatch(path, mark, async () => {
      try {
        file.#current = read(await readPasswordFile(path), file.#current);
        listener.changed(file.#current);
      } catch (error) {
        listener.failed(error instanceof Error ? error.message : String(error));
      }
    });
    return file;
  }

  /** The table as the file has it now. */
  get current(): Table {
    return this.#current;
  }

  /** Stops watching. */
  close(): void {
    this.#watch?.close();
  }
}
