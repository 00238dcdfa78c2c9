import {
  ConfigurationFile,
  ConfigurationUnavailable,
  LOCAL_FILE,
  parseJsonText,
  tagOfText,
  valueAt,
  withoutSchemaKey,
  type ConfigObject,
  type ConfigurationRepository,
  type LockedConfiguration,
  type Revision,
  type RevisionAuthor,
  type TaggedRevision,
  type TaggedText,
} from '../../../framework';
import type { ConfigurationStore } from '../store/configuration-store';
import type { StoredRevision } from '../store/stored-revision';
import { namedPaths, type SharedDocuments } from './shared-documents';

/** What was changed by hand on this machine. */
export const OUTSIDE: RevisionAuthor = { by: 'unknown', summary: 'Changed outside the admin.' };

/** Files by path; undefined for those that are removed. */
export type Changes = ReadonlyMap<string, Buffer | undefined>;

/** Changes the revisions of a deployment. */
export interface RevisionChanges {
  readonly store: Pick<ConfigurationStore, 'head' | 'history' | 'documents'>;
  readonly documents: SharedDocuments;
  current(): Promise<StoredRevision>;
  change(base: StoredRevision, changes: Changes, author: RevisionAuthor): Promise<StoredRevision>;
  assertNotStale(base: StoredRevision, name: string, content: Uint8Array | undefined): Promise<boolean>;
  /** Called when `local.json` has the text of a revision that was made here. */
  onWritten(revision: StoredRevision): Promise<void>;
}

/** Milliseconds to wait for another change on this machine: it may be proposed to all nodes. */
const LOCK_TIMEOUT = 30_000;

/**
 * `config/autoload/local.json` of a deployment: a change is proposed to all nodes, then written to the store, then to the
 * file. Its revisions are those of the store that change this file; a hash of the store is the tag of the text.
 */
export class StoredRepository implements ConfigurationRepository {
  readonly #file: ConfigurationFile;
  readonly #deployment: RevisionChanges;
  #history: readonly StoredRevision[] | undefined;

  constructor(root: string, deployment: RevisionChanges) {
    this.#file = new ConfigurationFile(root);
    this.#deployment = deployment;
  }

  read(): Promise<TaggedText> {
    return this.#file.read();
  }

  locked<T>(task: (file: LockedConfiguration) => Promise<T>, expect?: string): Promise<T> {
    return this.#file.locked(
      async (lock, { text }, bytes) => {
        const base = await this.#deployment.current();
        const isEdited = await this.#deployment.assertNotStale(base, LOCAL_FILE, bytes);
        return task({
          text,
          write: async (after, author) => {
            // Where it cannot be written, no other node gets it.
            if (after !== undefined && after !== text) await lock.stage(after);
            const start = isEdited ? await this.#change(base, text, OUTSIDE) : base;
            if (after === text) return this.#unchanged(start, text, author);
            const revision = await this.#change(start, after, author);
            await (after === undefined ? lock.remove() : lock.replace(after));
            await this.#deployment.onWritten(revision);
            const { number, at } = revision;
            return { ...author, number, at, before: text ?? null, after: after ?? null };
          },
        });
      },
      { timeout: LOCK_TIMEOUT, expect },
    );
  }

  async latestRevision(): Promise<number> {
    return (await this.#deployment.store.head())?.number ?? 0;
  }

  /** As it was last known while the store is out of reach: pages show it that have more to show. */
  async history(): Promise<{ readonly revisions: readonly TaggedRevision[]; readonly tag: string }> {
    const { tag } = await this.read();
    const all = await this.#deployment.store.history().catch((error: unknown) => {
      if (error instanceof ConfigurationUnavailable && this.#history !== undefined) return this.#history;
      throw error;
    });
    this.#history = all;
    const revisions = all.flatMap((revision, at) => {
      const before = all[at + 1];
      return isListed(revision, before) ? [tagged(revision, before)] : [];
    });
    return { revisions, tag };
  }

  async revisions(): Promise<readonly Revision[]> {
    const { revisions } = await this.history();
    const hashes = revisions.flatMap(({ beforeTag, afterTag }) => [beforeTag, afterTag]);
    const texts = await this.#deployment.store.documents([...new Set(hashes)]);
    return revisions.map(({ beforeTag, afterTag, ...entry }) => ({
      ...entry,
      before: texts.get(beforeTag)?.toString() ?? null,
      after: texts.get(afterTag)?.toString() ?? null,
    }));
  }

  async revision(number: number): Promise<Revision | undefined> {
    const { revisions } = await this.history();
    const found = revisions.find((one) => one.number === number);
    if (found === undefined) return undefined;
    const { beforeTag, afterTag, ...entry } = found;
    const texts = await this.#deployment.store.documents([beforeTag, afterTag]);
    return {
      ...entry,
      before: texts.get(beforeTag)?.toString() ?? null,
      after: texts.get(afterTag)?.toString() ?? null,
    };
  }

  /** Includes the files that it begins to name, and that only this machine has. */
  async #change(
    base: StoredRevision,
    text: string | undefined,
    author: RevisionAuthor,
  ): Promise<StoredRevision> {
    const { documents } = this.#deployment;
    const named = namedPaths(documents.root, (path) => valueAt(treeOf(text), path));
    const added = await documents.readAll(named.filter((name) => base.documents[name] === undefined));
    const content = text === undefined ? undefined : Buffer.from(text);
    return this.#deployment.change(base, new Map([...added, [LOCAL_FILE, content]]), author);
  }

  async #unchanged(
    { number, at }: StoredRevision,
    text: string | undefined,
    author: RevisionAuthor,
  ): Promise<Revision> {
    const known = await this.revision(number);
    return known ?? { ...author, number, at, before: text ?? null, after: text ?? null };
  }
}

function treeOf(text: string | undefined): ConfigObject {
  try {
    return withoutSchemaKey(parseJsonText(text ?? '{}', LOCAL_FILE).value);
  } catch {
    return {};
  }
}

/** Others change password files. The oldest one has nothing to compare with. */
function isListed(revision: StoredRevision, before: StoredRevision | undefined): boolean {
  return before !== undefined && before.documents[LOCAL_FILE] !== revision.documents[LOCAL_FILE];
}

function tagged(
  { number, at, by, via, summary, documents }: StoredRevision,
  before: StoredRevision | undefined,
): TaggedRevision {
  return {
    number,
    at,
    by,
    ...(via === undefined ? {} : { via }),
    summary,
    beforeTag: before?.documents[LOCAL_FILE] ?? tagOfText(undefined),
    afterTag: documents[LOCAL_FILE] ?? tagOfText(undefined),
  };
}
