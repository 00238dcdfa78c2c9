import { LOCAL_FILE, type ActivationResult, type ApplicationHost, type Log } from '../../../framework';
import type { ConfigurationStore, Head } from '../store/configuration-store';
import { assertFormat } from '../store/store-format';
import { hashOf, hashOfRevision, type StoredRevision } from '../store/stored-revision';
import { Candidates } from './candidates';
import type { DeploymentConfiguration } from './deployment-configuration';
import { HandEdits } from './hand-edits';
import type { NodeFolder, RevisionContent } from './node-folder';
import type { NodeStatus } from './node-status';
import { readContent, RevisionFiles } from './revision-files';
import { SingleFlight } from './single-flight';

/** Milliseconds between two looks at the store. */
const POLL = 3_000;
/** The same while a proposal is open that this node has answered. */
const SHORT_POLL = 200;
/** Milliseconds before a revision that this node could not activate is tried again. */
const RETRY = 10_000;

export interface NodeParts {
  readonly host: ApplicationHost;
  readonly deployment: DeploymentConfiguration;
  readonly folder: NodeFolder;
  readonly status: NodeStatus;
  readonly log: () => Log;
}

/**
 * A node of a deployment: follows the current revision of the store, answers proposals, and makes itself known. The store
 * may be away at any time; the node then continues with what it has.
 */
export class ClusterNode {
  readonly status: NodeStatus;
  readonly #host: ApplicationHost;
  readonly #deployment: DeploymentConfiguration;
  readonly #store: ConfigurationStore;
  readonly #folder: NodeFolder;
  readonly #log: () => Log;
  readonly #files: RevisionFiles;
  readonly #candidates: Candidates;
  readonly #edits: HandEdits;
  readonly #looking = new SingleFlight(() => this.#look());
  readonly #answering = new SingleFlight(() => this.#answer());
  readonly #syncing = new SingleFlight(() => this.#sync());
  readonly #editing = new SingleFlight(() => this.#edits.publishOthers(this.#applied));
  /** The revision whose files are on this disk, and which is active. */
  #applied: StoredRevision | undefined;
  /** The hash of the `local.json` of the active application. */
  #running: string | undefined;
  #answered: string | undefined;
  /** The hash of the revision that could not be activated, and when that is tried again. */
  #failed: { readonly hash: string; readonly until: number } | undefined;
  #isAvailable = true;
  #timer: NodeJS.Timeout | undefined;
  #stopHints: (() => void) | undefined;
  #isStopped = false;

  constructor({ host, deployment, folder, status, log }: NodeParts) {
    this.status = status;
    this.#host = host;
    this.#deployment = deployment;
    this.#store = deployment.store;
    this.#folder = folder;
    this.#log = log;
    this.#files = new RevisionFiles(deployment.documents, folder, log());
    this.#candidates = new Candidates(host, deployment.store, deployment.documents);
    this.#edits = new HandEdits(host, deployment, log);
    deployment.onWritten = (revision) => this.#adopt(revision);
    deployment.applied = () => this.#applied;
  }

  /** Whether the store could be reached when it was last looked at. */
  get isAvailable(): boolean {
    return this.#isAvailable;
  }

  get deployment(): DeploymentConfiguration {
    return this.#deployment;
  }

  /**
   * Begins to follow the store, with the application that is active now.
   * @param applied the revision that it was built from; undefined to seed an empty store
   * @param problem why that is not the current one
   */
  async start(applied: RevisionContent | undefined, problem: string | undefined): Promise<void> {
    this.#running = await this.#deployment.documents.hashOf(LOCAL_FILE);
    if (applied !== undefined) {
      this.#applied = applied.revision;
      this.status.serve(applied.revision.number);
      if (problem === undefined) await this.#folder.keep(applied);
    }
    if (problem !== undefined) this.status.fallBehind(problem);
    this.#stopHints = this.#store.onHint(() => void this.#looking.run());
    await this.#looking.run();
    await this.#syncing.run();
    this.#schedule();
  }

  /** Looks at the store now. */
  async look(): Promise<void> {
    await this.#looking.run();
  }

  /** The activation of this node is not awaited by others from now on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.status.stop();
    clearTimeout(this.#timer);
    this.#stopHints?.();
    await this.#store.leave(this.status.name.id).catch(() => undefined);
    await this.#candidates.discard(this.#applied);
  }

  /** Closes what {@link stop} leaves open: requests in flight may still change the configuration. */
  async close(): Promise<void> {
    await this.#store.close();
    await this.#folder.release();
  }

  /** Applies the configuration files; what the nodes share is proposed to the others first. */
  reload(): Promise<ActivationResult> {
    return this.#host.exclusively(async () => {
      const candidate = await this.#host.build();
      const prepared = await this.#host.prepare(candidate);
      try {
        await this.#edits.publishAll(candidate.configuration);
        this.#running = await this.#deployment.documents.hashOf(LOCAL_FILE);
      } catch (error) {
        await prepared.discard();
        throw error;
      }
      return prepared.activate();
    });
  }

  /** Keeps a revision that was made here, and whose application is activated next. */
  async #adopt(revision: StoredRevision): Promise<void> {
    this.#running = revision.documents[LOCAL_FILE];
    const content = await this.#deployment.documents.readAll(Object.keys(revision.documents));
    const isComplete = Object.entries(revision.documents).every(([name, hash]) => {
      const bytes = content.get(name);
      return bytes !== undefined && hashOf(bytes) === hash;
    });
    // Otherwise it is synchronized like one of another node.
    if (!isComplete) return;
    await this.#folder.keep({ revision, content });
    this.#applied = revision;
    this.status.serve(revision.number);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    const wait = this.#answered === undefined ? POLL : SHORT_POLL;
    this.#timer = setTimeout(() => void this.#looking.run().finally(() => this.#schedule()), wait);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return;
    try {
      const head = await this.#store.head();
      assertFormat(head);
      if (head === undefined) await this.#edits.seed(this.#applied, this.status);
      else await this.#follow(head);
      if (!this.#isStopped) await this.#store.announce(this.status.report());
      this.#report(undefined);
    } catch (error) {
      this.#report(messageOf(error));
    }
  }

  async #follow(head: Head): Promise<void> {
    const isCurrent = this.#applied !== undefined && isAt(this.#applied, head);
    if (head.proposal !== undefined && head.proposal !== this.#answered) void this.#answering.run();
    if (head.proposal === undefined && this.#answered !== undefined && isCurrent) {
      this.#answered = undefined;
      await this.#candidates.discard(this.#applied);
    }
    if (!isCurrent || this.status.state === 'behind') void this.#syncing.run();
    else if (head.proposal === undefined) void this.#editing.run();
  }

  async #answer(): Promise<void> {
    try {
      const proposal = await this.#store.proposal();
      if (proposal === undefined || proposal.id === this.#answered || this.#isStopped) return;
      const { id } = this.status.name;
      // It has built that itself.
      if (proposal.revision.node === id) return;
      const answer = await this.#candidates.judge(proposal, this.#applied, this.#running);
      await this.#store.answer(proposal.id, id, answer);
      this.#answered = proposal.id;
      this.#schedule();
      if (!answer.ok)
        this.#log().warn(
          { reason: answer.message, from: proposal.revision.node },
          'Refused a configuration.',
        );
    } catch (error) {
      this.#report(messageOf(error));
    }
  }

  /** Activates the current revision. */
  async #sync(): Promise<void> {
    if (this.#isStopped) return;
    try {
      await this.#host.exclusively(async () => {
        const head = await this.#store.head();
        const revision = head && (await this.#store.revision(head.number));
        if (head === undefined || revision === undefined || this.#isStopped) return;
        if (this.#applied !== undefined && isAt(this.#applied, head) && this.status.state === 'serving')
          return;
        if (this.#failed?.hash === head.hash && performance.now() < this.#failed.until) return;
        await this.#apply(await readContent(this.#store, revision), await this.#store.history());
        await this.#store.announce(this.status.report());
      });
    } catch (error) {
      this.#report(messageOf(error));
    }
  }

  async #apply(content: RevisionContent, known: readonly StoredRevision[]): Promise<void> {
    const { revision } = content;
    try {
      // First, and also if the application cannot be built: a removed user is refused on all nodes.
      await this.#files.writeOthers(content, known);
      const local = revision.documents[LOCAL_FILE];
      if (local !== this.#running) {
        const text = content.content.get(LOCAL_FILE)?.toString() ?? null;
        const candidate = this.#candidates.take(revision) ?? (await this.#host.build({ local: text }));
        const prepared = await this.#host.prepare(candidate);
        await this.#files.writeLocal(content, known).catch(async (error: unknown) => {
          await prepared.discard();
          throw error;
        });
        await prepared.activate();
        this.#running = local;
      } else await this.#files.writeLocal(content, known);
      this.#applied = revision;
      this.#failed = undefined;
      this.status.serve(revision.number);
      await this.#folder.keep(content);
      const { number, by, node } = revision;
      this.#log().info({ revision: number, by, node }, 'Activated a revision of the configuration.');
    } catch (error) {
      const message = messageOf(error);
      const isNew = this.status.problem !== message;
      this.#failed = { hash: hashOfRevision(revision), until: performance.now() + RETRY };
      this.status.fallBehind(message);
      if (isNew)
        this.#log().error(
          { revision: revision.number, reason: message },
          'The current revision of the configuration cannot be activated. The last one stays active.',
        );
    }
  }

  /** @param reason why the store cannot be used; undefined if it can */
  #report(reason: string | undefined): void {
    if (this.#isStopped || (reason === undefined) === this.#isAvailable) return;
    this.#isAvailable = reason === undefined;
    if (reason === undefined) this.#log().info({}, 'The configuration store can be reached again.');
    else
      this.#log().warn(
        { reason },
        'The configuration store cannot be reached. The configuration stays as it is until it can.',
      );
  }
}

function isAt(revision: StoredRevision, { number, hash }: Head): boolean {
  return revision.number === number && hashOfRevision(revision) === hash;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
