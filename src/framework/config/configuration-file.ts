import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { ConfigurationError } from '../errors/configuration-error';
import { withFileErrors } from '../files/file-error';
import { withLock } from '../files/file-lock';
import type { HeldLock } from '../files/held-lock';
import { makeFolder, readFileIfExists, resolveLink } from '../files/replace-file';
import { LOCAL_FILE } from './layers/layer';
import { tagOfText } from './revisions';

/** The file has changed since the writer read it. */
export class ConfigurationChanged extends Error {
  override readonly name = 'ConfigurationChanged';

  constructor() {
    super(`${LOCAL_FILE} has changed since you loaded it. Fetch the current version and retry.`);
  }
}

/** What `config/autoload/local.json` contains. */
export interface TaggedText {
  /** Undefined if there is no file. */
  readonly text: string | undefined;
  /** Identifies the bytes. */
  readonly tag: string;
}

/** `config/autoload/local.json`, which one writer at a time changes. */
export class ConfigurationFile {
  readonly #file: string;

  constructor(root: string) {
    this.#file = path.join(root, LOCAL_FILE);
  }

  async read(): Promise<TaggedText> {
    const bytes = await this.#bytes();
    return { text: bytes?.toString(), tag: tagOfText(bytes) };
  }

  /**
   * Runs a task with the lock of the file, and with what the file contains.
   *
   * @param options.timeout how long to wait for the lock, in milliseconds
   * @param options.expect the expected tag
   * @throws ConfigurationChanged if the file has another tag
   * @throws ConfigurationError for a file that is not in UTF-8
   * @throws the error of the task
   */
  async locked<T>(
    task: (lock: HeldLock, read: TaggedText, bytes: Buffer | undefined) => Promise<T>,
    { timeout, expect }: { readonly timeout: number; readonly expect: string | undefined },
  ): Promise<T> {
    await withFileErrors(this.#file, () => makeFolder(path.dirname(this.#file)));
    return withLock(
      await resolveLink(this.#file),
      async (lock) => {
        const bytes = await this.#bytes();
        const tag = tagOfText(bytes);
        if (expect !== undefined && expect !== tag) throw new ConfigurationChanged();
        if (bytes !== undefined && !isUtf8(bytes))
          throw new ConfigurationError(
            `${LOCAL_FILE} is not in UTF-8. Convert it: writing it would damage it.`,
          );
        return task(lock, { text: bytes?.toString(), tag }, bytes);
      },
      timeout,
    );
  }

  #bytes(): Promise<Buffer | undefined> {
    return withFileErrors(this.#file, () => readFileIfExists(this.#file));
  }
}
