import { LOCAL_FILE, type ApplicationHost, type Log, errorMessage } from '../../../framework';
import { SingleFlight } from '../single-flight';
import type { Head } from '../store/configuration-store';
import { hashOf, hashOfRevision, type StoredRevision } from '../store/stored-revision';
import type { Candidates } from './candidates';
import type { NodeFolder, RevisionContent } from './node-folder';
import type { NodeStatus } from './node-status';
import { knownSince, type RevisionFiles } from './revision-files';
import type { SharedDocuments } from './shared-documents';

/** Milliseconds before a revision that this node could not activate is tried again. */
const RETRY = 10_000;

export interface ActiveRevisionParts {
  readonly host: ApplicationHost;
  readonly documents: SharedDocuments;
  readonly files: RevisionFiles;
  readonly folder: NodeFolder;
  readonly candidates: Candidates;
  readonly status: NodeStatus;
  readonly log: () => Log;
}

/** The revision that a node serves. */
export class ActiveRevision {
  readonly #parts: ActiveRevisionParts;
  /** The revision that is active. */
  #applied: StoredRevision | undefined;
  /** The revision whose files are on this disk, except for `local.json`: a later one if it could not be activated. */
  #written: StoredRevision | undefined;
  /** The hash of the `local.json` of the active application. */
  #running: string | undefined;
  /** The hash of the revision that could not be activated, and when that is tried again. */
  #failed: { readonly hash: string; readonly until: number } | undefined;
  /** What is served, but not kept yet, and why. */
  #unkept: RevisionContent | undefined;
  #keepProblem: string | undefined;
  readonly #keeping = new SingleFlight(() => this.#keepUnkept());

  constructor(parts: ActiveRevisionParts) {
    this.#parts = parts;
  }

  get applied(): StoredRevision | undefined {
    return this.#applied;
  }

  get running(): string | undefined {
    return this.#running;
  }

  get written(): StoredRevision | undefined {
    return this.#written;
  }

  isAt(head: Head): boolean {
    return isHead(this.#applied, head);
  }

  /** Whether the password files of this disk are those of the current revision, or were edited since. */
  hasFilesOf(head: Head): boolean {
    return isHead(this.#written, head);
  }

  /** Whether there is something to activate now. */
  isDue(head: Head): boolean {
    if (this.isAt(head) && this.#parts.status.state === 'serving') return false;
    return this.#failed?.hash !== head.hash || performance.now() >= this.#failed.until;
  }

  /**
   * Begins with the application that is active now.
   * @param content undefined if it is not a revision yet
   * @param problem why it is not the current revision
   */
  async begin(content: RevisionContent | undefined, problem: string | undefined): Promise<void> {
    const { status } = this.#parts;
    await this.readRunning();
    if (content !== undefined) {
      this.#applied = content.revision;
      this.#written = content.revision;
      status.serve(content.revision.number);
      if (problem === undefined) await this.keep(content);
    }
    if (problem !== undefined) status.fallBehind(problem);
  }

  /** The active application has the `local.json` that is on this disk. */
  async readRunning(): Promise<void> {
    this.#running = await this.#parts.documents.hashOf(LOCAL_FILE);
  }

  /** Keeps a revision that was made here, and whose application is activated next. */
  async adopt(revision: StoredRevision): Promise<void> {
    const { documents, status } = this.#parts;
    this.#running = revision.documents[LOCAL_FILE];
    // Without a file that cannot be read: the revision is made, and its application is activated all the same.
    const content = await documents
      .readAll(Object.keys(revision.documents))
      .catch(() => new Map<string, Buffer>());
    const isComplete = Object.entries(revision.documents).every(([name, hash]) => {
      const bytes = content.get(name);
      return bytes !== undefined && hashOf(bytes) === hash;
    });
    // Otherwise it is activated like one of another node.
    if (!isComplete) return;
    await this.keep({ revision, content });
    this.#applied = revision;
    this.#written = revision;
    status.serve(revision.number);
  }

  /**
   * Keeps a revision for a start without the store. A failure is logged, and concerns neither the revision nor its change:
   * what could not be kept is kept by a later call.
   */
  keep(content = this.#unkept): Promise<void> {
    this.#unkept = content;
    return this.#keeping.run();
  }

  async #keepUnkept(): Promise<void> {
    const { folder, log } = this.#parts;
    const content = this.#unkept;
    if (content === undefined) return;
    try {
      await folder.keep(content);
      this.#keepProblem = undefined;
      if (this.#unkept === content) this.#unkept = undefined;
    } catch (error) {
      const reason = errorMessage(error);
      if (reason === this.#keepProblem) return;
      this.#keepProblem = reason;
      const { number } = content.revision;
      log().error(
        { revision: number, reason },
        'A revision of the configuration is served, but could not be kept: a start without the store would use an earlier one. This is retried every few seconds.',
      );
    }
  }

  /**
   * Writes the files of a revision, and activates it. If that fails, the active one stays, except for password files.
   * @param history the last revisions
   */
  async activate(content: RevisionContent, history: readonly StoredRevision[]): Promise<void> {
    const { files, status, log } = this.#parts;
    const { revision } = content;
    const isRetry = this.#failed?.hash === hashOfRevision(revision);
    const known = knownSince(this.#written, revision, history, isRetry ? undefined : log());
    try {
      // First, and also if the application cannot be built: a removed user is refused on all nodes.
      await files.writeOthers(content, known, this.#written);
      this.#written = revision;
      const local = revision.documents[LOCAL_FILE];
      if (local === this.#running) await files.writeLocal(content, known);
      else await this.#build(content, known);
      this.#running = local;
      this.#applied = revision;
      this.#failed = undefined;
      status.serve(revision.number);
      await this.keep(content);
      const { number, by, node } = revision;
      log().info({ revision: number, by, node }, 'Activated a revision of the configuration.');
    } catch (error) {
      const reason = errorMessage(error);
      const isNew = status.problem !== reason;
      this.#failed = { hash: hashOfRevision(revision), until: performance.now() + RETRY };
      status.fallBehind(reason);
      if (isNew)
        log().error(
          { revision: revision.number, reason },
          'The current revision of the configuration cannot be activated. The last one stays active.',
        );
    }
  }

  async #build(content: RevisionContent, known: readonly StoredRevision[]): Promise<void> {
    const { host, files, candidates } = this.#parts;
    const text = content.content.get(LOCAL_FILE)?.toString() ?? null;
    const candidate = candidates.take(content.revision) ?? (await host.build({ local: text }));
    const prepared = await host.prepare(candidate);
    await files.writeLocal(content, known).catch(async (error: unknown) => {
      await prepared.discard();
      throw error;
    });
    await prepared.activate();
  }
}

function isHead(revision: StoredRevision | undefined, { number, hash }: Head): boolean {
  return revision?.number === number && hashOfRevision(revision) === hash;
}
