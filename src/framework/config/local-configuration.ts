import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writing } from '../files/file-error';
import { withLock } from '../files/file-lock';
import { readIfThere } from '../files/read-if-there';
import { removeFile, removeLitter, replaceFile } from '../files/replace-file';
import { targetOf } from '../files/target';
import { LOCAL_FILE } from './local-file';
import { RevisionFolder, type Revision } from './revisions';
import { StartError } from './start-error';

/** How long one waits for another's change, in milliseconds: it may build an application under the lock. */
const PATIENCE = 15_000;

/** The file is not what the writer had seen. */
export class ConfigurationChanged extends Error {
  override readonly name = 'ConfigurationChanged';

  constructor() {
    super(`${LOCAL_FILE} was changed meanwhile. Look at it as it is now, and decide again.`);
  }
}

/** Who changes what. */
export interface LocalChange {
  /** One line for the list of revisions. */
  readonly summary: string;
  readonly by: string;
  /** By which way. */
  readonly via?: string;
  /** Gives the new text; undefined stands for no file, on both sides. */
  readonly make: (text: string | undefined) => string | undefined;
}

export interface LocalChangeOptions {
  /** Refuses unless the file still has this tag. */
  readonly expect?: string | undefined;
  /** Refuses the new text by throwing; nothing is written then. */
  readonly prepare?: (after: string | undefined, before: string | undefined) => Promise<void>;
}

/** `config/autoload/local.json` and its revisions: `data/revisions/NNNNNN.json`, the last 50. */
export class LocalConfiguration {
  readonly #file: string;
  readonly #revisions: RevisionFolder;

  constructor(root: string) {
    this.#file = path.join(root, LOCAL_FILE);
    this.#revisions = new RevisionFolder(path.join(root, 'data', 'revisions'));
  }

  /** The text, undefined for no file, and a tag that is equal for equal bytes only. */
  async read(): Promise<{ readonly text: string | undefined; readonly tag: string }> {
    const bytes = await this.#bytes();
    return { text: bytes?.toString(), tag: tagOf(bytes) };
  }

  /**
   * Changes the file under its lock: whole or not at all, and with a revision. What was changed by hand since the
   * last revision gets one of its own before. Where the new text is the old one, nothing is written.
   *
   * @returns the revision; where nothing was written the newest there is, or one with the number 0
   * @throws ConfigurationChanged when `expect` is not the file's tag
   * @throws FileError when the system refuses; the file is as it was
   * @throws whatever `make` and `prepare` throw
   */
  async change(change: LocalChange, options: LocalChangeOptions = {}): Promise<Revision> {
    await writing(this.#file, () => mkdir(path.dirname(this.#file), { recursive: true }));
    const target = await targetOf(this.#file);
    return withLock(target, () => this.#changeLocked(target, change, options), PATIENCE);
  }

  async #changeLocked(
    target: string,
    { summary, by, via, make }: LocalChange,
    { expect, prepare }: LocalChangeOptions,
  ): Promise<Revision> {
    await removeLitter(target);
    const bytes = await this.#bytes();
    const [text, tag] = [bytes?.toString(), tagOf(bytes)];
    if (expect !== undefined && expect !== tag) throw new ConfigurationChanged();
    if (bytes !== undefined && !isUtf8(bytes)) {
      throw new StartError(`${LOCAL_FILE} is not in UTF-8, so that writing would spoil it. Convert it.`);
    }
    const after = make(text);
    await prepare?.(after, text);
    await this.#revisions.settle(text ?? null);
    const [last] = await this.#revisions.list(text ?? null);
    const revision = {
      number: (last?.number ?? 0) + 1,
      at: new Date().toISOString(),
      by,
      ...(via === undefined ? {} : { via }),
      summary,
      before: text ?? null,
      after: after ?? null,
    };
    if (after === text) return last ?? { ...revision, number: 0 };
    // By hand while `prepare` was at work: editors know no lock.
    if ((await this.read()).tag !== tag) throw new ConfigurationChanged();
    const number = await this.#recordOutsideChange(last, revision);
    const numbered = { ...revision, number };
    await this.#revisions.record(numbered, () =>
      after === undefined ? removeFile(target) : replaceFile(target, after),
    );
    return numbered;
  }

  /** @returns the number that is free afterwards */
  async #recordOutsideChange(last: Revision | undefined, { number, at, before }: Revision): Promise<number> {
    if (last === undefined || last.after === before) return number;
    const outside = {
      by: 'unknown',
      summary: 'Changed outside the admin.',
      before: last.after,
      after: before,
    };
    await this.#revisions.record({ number, at, ...outside }, () => Promise.resolve());
    return number + 1;
  }

  #bytes(): Promise<Buffer | undefined> {
    return writing(this.#file, () => readIfThere(this.#file));
  }

  /** The revisions, the newest first. */
  async revisions(): Promise<readonly Revision[]> {
    return this.#revisions.list((await this.read()).text ?? null);
  }

  /** The revision of a number; undefined when there is none. */
  async revision(number: number): Promise<Revision | undefined> {
    return (await this.revisions()).find((one) => one.number === number);
  }
}

function tagOf(bytes: Buffer | undefined): string {
  return bytes === undefined ? 'none' : createHash('sha256').update(bytes).digest('hex');
}
