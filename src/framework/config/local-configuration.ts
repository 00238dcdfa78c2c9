import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { withFileErrors } from '../files/file-error';
import { withLock } from '../files/file-lock';
import type { HeldLock } from '../files/held-lock';
import { makeFolder, readFileIfExists, resolveLink } from '../files/replace-file';
import { LOCAL_FILE } from './layers/layer';
import { RevisionFolder, tagOfText, type Revision, type TaggedRevision } from './revisions';
import { ConfigurationError } from '../errors/configuration-error';

/** How long to wait for another change, in milliseconds: it may build an application while holding the lock. */
const TIMEOUT_MS = 15_000;

/** The file has changed since the writer read it. */
export class ConfigurationChanged extends Error {
  override readonly name = 'ConfigurationChanged';

  constructor() {
    super(`${LOCAL_FILE} has changed since you loaded it. Fetch the current version and retry.`);
  }
}

/** Who wrote a revision, and what it changes. */
export interface RevisionAuthor {
  /** One line, for the list of revisions. */
  readonly summary: string;
  readonly by: string;
  /** The interface that was used, e.g. `command`. */
  readonly via?: string;
}

/** `config/autoload/local.json` while its lock is held. */
export interface LockedConfiguration {
  /** The text of the file; undefined if it does not exist. */
  readonly text: string | undefined;
  /**
   * Writes the file atomically, and a revision. Manual changes since the last revision are recorded as a revision of
   * their own first. Writes nothing if the text is unchanged.
   *
   * @param after undefined removes the file
   * @returns the revision; if nothing was written, the latest one, or one with the number 0
   * @throws ConfigurationChanged if the file was edited since the lock was acquired: editors ignore the lock
   * @throws FileError for a system error; the file is unchanged
   */
  write(after: string | undefined, author: RevisionAuthor): Promise<Revision>;
}

/** `config/autoload/local.json` and its revisions. */
export interface ConfigurationRepository {
  /** Reads the text (undefined if there is no file) and a tag, which identifies the bytes. */
  read(): Promise<{ readonly text: string | undefined; readonly tag: string }>;
  /**
   * Runs a task while nothing else changes the file, so that the task replaces the text that it has read.
   *
   * @param expect the expected tag
   * @throws ConfigurationChanged if the file has another tag
   * @throws ConfigurationError for a file that is not in UTF-8
   * @throws the error of the task
   */
  locked<T>(task: (file: LockedConfiguration) => Promise<T>, expect?: string): Promise<T>;
  /** Returns the number of the latest revision; 0 if there is none. */
  latestRevision(): Promise<number>;
  /** Lists the revisions without their texts, latest first, and the tag of the file. */
  history(): Promise<{ readonly revisions: readonly TaggedRevision[]; readonly tag: string }>;
  /** Reads all revisions, latest first. */
  revisions(): Promise<readonly Revision[]>;
  /** Reads the revision with a number, if it exists. */
  revision(number: number): Promise<Revision | undefined>;
}

/** Kept in the project: revisions in `data/revisions/NNNNNN.json`, the last 50. */
export class LocalConfiguration implements ConfigurationRepository {
  readonly #file: string;
  readonly #revisions: RevisionFolder;

  constructor(root: string) {
    this.#file = path.join(root, LOCAL_FILE);
    this.#revisions = new RevisionFolder(path.join(root, 'data', 'revisions'));
  }

  async read(): Promise<{ readonly text: string | undefined; readonly tag: string }> {
    const bytes = await this.#bytes();
    return { text: bytes?.toString(), tag: tagOfText(bytes) };
  }

  async locked<T>(task: (file: LockedConfiguration) => Promise<T>, expect?: string): Promise<T> {
    await withFileErrors(this.#file, () => makeFolder(path.dirname(this.#file)));
    const target = await resolveLink(this.#file);
    return withLock(
      target,
      async (lock) => {
        const bytes = await this.#bytes();
        const [text, tag] = [bytes?.toString(), tagOfText(bytes)];
        if (expect !== undefined && expect !== tag) throw new ConfigurationChanged();
        if (bytes !== undefined && !isUtf8(bytes)) {
          throw new ConfigurationError(
            `${LOCAL_FILE} is not in UTF-8. Convert it: writing it would damage it.`,
          );
        }
        return task({ text, write: (after, author) => this.#write(lock, { text, tag }, after, author) });
      },
      TIMEOUT_MS,
    );
  }

  async #write(
    lock: HeldLock,
    { text, tag }: { readonly text: string | undefined; readonly tag: string },
    after: string | undefined,
    { summary, by, via }: RevisionAuthor,
  ): Promise<Revision> {
    await lock.assertHeld();
    await this.#revisions.settlePending(tag);
    const [last] = await this.#revisions.list(tag);
    const revision = {
      number: (last?.number ?? 0) + 1,
      at: new Date().toISOString(),
      by,
      ...(via === undefined ? {} : { via }),
      summary,
      before: text ?? null,
      after: after ?? null,
    };
    if (after === text)
      return (last && (await this.#revisions.get(last.number, tag))) ?? { ...revision, number: 0 };
    await lock.assertHeld();
    if ((await this.read()).tag !== tag) throw new ConfigurationChanged();
    const number = await this.#recordOutsideChange(last, revision, tag);
    const numbered = { ...revision, number };
    await this.#revisions.record(numbered, () => (after === undefined ? lock.remove() : lock.replace(after)));
    return numbered;
  }

  /** @returns the next free number */
  async #recordOutsideChange(
    last: TaggedRevision | undefined,
    { number, at, before }: Revision,
    tag: string,
  ): Promise<number> {
    if (last === undefined || last.afterTag === tag) return number;
    const outside = {
      by: 'unknown',
      summary: 'Changed outside the admin.',
      before: (await this.#revisions.get(last.number, tag))?.after ?? null,
      after: before,
    };
    await this.#revisions.record({ number, at, ...outside }, () => Promise.resolve());
    return number + 1;
  }

  #bytes(): Promise<Buffer | undefined> {
    return withFileErrors(this.#file, () => readFileIfExists(this.#file));
  }

  latestRevision(): Promise<number> {
    return this.#revisions.latestNumber();
  }

  async history(): Promise<{ readonly revisions: readonly TaggedRevision[]; readonly tag: string }> {
    const tag = tagOfText(await this.#bytes());
    return { revisions: await this.#revisions.list(tag), tag };
  }

  async revisions(): Promise<readonly Revision[]> {
    const { revisions, tag } = await this.history();
    const found: Revision[] = [];
    for (const { number } of revisions) {
      const revision = await this.#revisions.get(number, tag);
      if (revision !== undefined) found.push(revision);
    }
    return found;
  }

  async revision(number: number): Promise<Revision | undefined> {
    return this.#revisions.get(number, tagOfText(await this.#bytes()));
  }
}
