import { ConfigurationUnavailable, LOCAL_FILE, type Log } from '../../../framework';
import type { ConfigurationStore } from '../store/configuration-store';
import { hashOf, hashOfRevision, type StoredRevision } from '../store/stored-revision';
import type { NodeFolder, RevisionContent } from './node-folder';
import type { SharedDocuments } from './shared-documents';

/** Writes revisions to the disk of a node. What was edited there by hand is kept aside. */
export class RevisionFiles {
  readonly #documents: SharedDocuments;
  readonly #folder: NodeFolder;
  readonly #log: Log;

  constructor(documents: SharedDocuments, folder: NodeFolder, log: Log) {
    this.#documents = documents;
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Writes all files of a revision but `local.json`.
   * @param known revisions whose files may be replaced without keeping them
   * @param before the revision whose files are on this disk: one that is the same in both, and was edited here, stays as it
   * is, since the edit is given to the other nodes next
   */
  async writeOthers(
    { revision, content }: RevisionContent,
    known: readonly StoredRevision[],
    before?: StoredRevision,
  ): Promise<void> {
    for (const [name, bytes] of content) {
      const isSame = before !== undefined && before.documents[name] === revision.documents[name];
      if (name === LOCAL_FILE || (isSame && (await this.#documents.read(name)) !== undefined)) continue;
      await this.#write(name, bytes, known);
    }
  }

  /** Writes the files of a revision, except for `local.json`, that do not exist. */
  async writeMissing({ content }: RevisionContent): Promise<void> {
    for (const [name, bytes] of content) {
      const isMissing = name !== LOCAL_FILE && (await this.#documents.read(name)) === undefined;
      if (isMissing) await this.#documents.write(name, bytes);
    }
  }

  /** Writes `local.json`, or removes it. */
  async writeLocal({ content }: RevisionContent, known: readonly StoredRevision[]): Promise<void> {
    const bytes = content.get(LOCAL_FILE);
    if (bytes !== undefined) {
      await this.#write(LOCAL_FILE, bytes, known);
      return;
    }
    if (await this.#keepEdited(LOCAL_FILE, undefined, known)) await this.#documents.remove(LOCAL_FILE);
  }

  async #write(name: string, bytes: Buffer, known: readonly StoredRevision[]): Promise<void> {
    await this.#keepEdited(name, hashOf(bytes), known);
    await this.#documents.write(name, bytes);
  }

  /** @returns whether the file exists with another content */
  async #keepEdited(
    name: string,
    next: string | undefined,
    known: readonly StoredRevision[],
  ): Promise<boolean> {
    const before = await this.#documents.read(name);
    if (before === undefined) return false;
    const hash = hashOf(before);
    if (hash === next) return false;
    if (before.length > 0 && !known.some(({ documents }) => documents[name] === hash)) {
      const kept = await this.#folder.keepReplaced(name, before);
      this.#log.warn(
        { file: name, kept },
        'A file that was edited on this node was replaced by that of the configuration store. The replaced one was kept.',
      );
    }
    return true;
  }
}

/**
 * Reads a revision with its documents.
 * @throws ConfigurationUnavailable if one is missing, as when it has become too old meanwhile
 */
export async function readContent(
  store: Pick<ConfigurationStore, 'documents'>,
  revision: StoredRevision,
): Promise<RevisionContent> {
  const names = Object.entries(revision.documents);
  const found = await store.documents([...new Set(names.map(([, hash]) => hash))]);
  const content = names.map(([name, hash]) => {
    const bytes = found.get(hash);
    if (bytes === undefined || hashOf(bytes) !== hash)
      throw new ConfigurationUnavailable(
        `The configuration store has no valid content of ${name} in revision ${revision.number}.`,
      );
    return [name, bytes] as const;
  });
  return { revision, content: new Map(content) };
}

/**
 * The revisions that the files of a disk may have without having been edited there: another process may have written a later
 * one. An earlier state is an edit too, such as that of a user who was removed again. What the store has lost is on the disks
 * of the nodes alone.
 * @param revision of the files; all are possible if it is not known
 */
function since(
  revision: StoredRevision | undefined,
  history: readonly StoredRevision[],
): readonly StoredRevision[] {
  if (revision === undefined) return history;
  const later = history.filter(({ number }) => number > revision.number);
  return isLost(revision, history) ? later : [revision, ...later];
}

/**
 * Returns the revisions {@link since} that of the disk, and warns of one that the store has lost.
 * @param log undefined if the warning was logged before
 */
export function knownSince(
  before: StoredRevision | undefined,
  next: StoredRevision,
  history: readonly StoredRevision[],
  log: Log | undefined,
): readonly StoredRevision[] {
  if (before !== undefined && isLost(before, history))
    log?.warn(
      { lost: before.number, revision: next.number },
      'The configuration store has lost the last revision of this node, as when a replica takes over, and has another one now. The files of the lost one are kept.',
    );
  return since(before, history);
}

/** Whether the store has lost a revision, as when a replica took over that had not received it. */
function isLost(revision: StoredRevision, history: readonly StoredRevision[]): boolean {
  const found = history.find(({ number }) => number === revision.number);
  if (found !== undefined) return hashOfRevision(found) !== hashOfRevision(revision);
  // Earlier ones are removed in time.
  return history.length > 0 && history.every(({ number }) => number < revision.number);
}
