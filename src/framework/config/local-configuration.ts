import path from 'node:path';
import type { HeldLock } from '../files/held-lock';
import { ConfigurationChanged, ConfigurationFile, type TaggedText } from './configuration-file';
import { RevisionFolder, type Revision, type TaggedRevision } from './revisions';

/** How long to wait for another change, in milliseconds: it may build an application while holding the lock. */
const TIMEOUT_MS = 15_000;

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
  read(): Promise<TaggedText>;
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
  readonly #file: ConfigurationFile;
  readonly #revisions: RevisionFolder;

  constructor(root: string) {
    this.#file = new ConfigurationFile(root);
    this.#revisions = new RevisionFolder(path.join(root, 'data', 'revisions'));
  }

  read(): Promise<TaggedText> {
    return this.#file.read();
  }

  locked<T>(task: (file: LockedConfiguration) => Promise<T>, expect?: string): Promise<T> {
    return this.#file.locked(
      (lock, read) =>
        task({ text: read.text, write: (after, author) => this.#write(lock, read, after, author) }),
      { timeout: TIMEOUT_MS, expect },
    );
  }

  async #write(
    lock: HeldLock,
    { text, tag }: TaggedText,
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

  latestRevision(): Promise<number> {
    return this.#revisions.latestNumber();
  }

  async history(): Promise<{ readonly revisions: readonly TaggedRevision[]; readonly tag: string }> {
    const { tag } = await this.read();
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
    return this.#revisions.get(number, (await this.read()).tag);
  }
}
