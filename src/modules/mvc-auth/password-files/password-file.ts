import { readFile } from 'node:fs/promises';
import { FileWatch, fileMark, systemErrorCode, errorMessage } from '../../../framework';

export class PasswordFileError extends Error {
  override readonly name = 'PasswordFileError';
  readonly path: string;
  /** Whether the file does not exist, as opposed to being unreadable. */
  readonly missing: boolean;

  constructor(path: string, missing: boolean, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
    this.missing = missing;
  }
}

async function readPasswordFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    const message = missing
      ? `the file ${path} does not exist`
      : code === 'EISDIR'
        ? `${path} is a folder`
        : `the file ${path} cannot be read (${code})`;
    throw new PasswordFileError(path, missing, message, { cause: error });
  }
}

/** A watched password file, parsed into a table. */
export class PasswordFile<Table> {
  #current: Table;
  #watch: FileWatch | undefined;
  #reload: () => Promise<void> = () => Promise.resolve();

  private constructor(current: Table) {
    this.#current = current;
  }

  /**
   * Reads a file and starts watching it. If it becomes unreadable later, the last table is kept.
   *
   * @param read parses a text; `previous` is the table that it replaces
   * @param listener `changed` is called after the table was replaced, `failed` with the reason why it was not
   * @throws PasswordFileError for a file that is missing or unreadable now
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
    file.#reload = async () => {
      try {
        file.#current = read(await readPasswordFile(path), file.#current);
        listener.changed(file.#current);
      } catch (error) {
        listener.failed(errorMessage(error));
      }
    };
    file.#watch = new FileWatch(path, mark, file.#reload);
    return file;
  }

  get current(): Table {
    return this.#current;
  }

  /** Reads the file again at once, without waiting until the change is noticed. */
  refresh(): Promise<void> {
    return this.#reload();
  }

  /** Reads the file if it has changed; resolves when that has been done. */
  refreshIfChanged(): Promise<void> {
    return this.#watch?.check() ?? Promise.resolve();
  }

  /** Stops watching. */
  close(): void {
    this.#watch?.close();
  }
}
