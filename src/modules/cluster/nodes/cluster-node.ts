import {
  ConfigurationUnavailable,
  type ActivationResult,
  type ApplicationHost,
  type Log,
  errorMessage,
} from '../../../framework';
import type { ConfigurationStore, Head } from '../store/configuration-store';
import { assertFormat } from '../store/store-format';
import { ActiveRevision } from './active-revision';
import { Candidates } from './candidates';
import type { DeploymentConfiguration } from './deployment-configuration';
import { HandEdits } from './hand-edits';
import type { NodeFolder, RevisionContent } from './node-folder';
import type { NodeStatus } from './node-status';
import { readContent, RevisionFiles } from './revision-files';
import { StoreAccess } from './store-access';
import { SingleFlight } from '../single-flight';

/** Milliseconds between two checks of the store. */
const POLL = 3_000;
/** The same while a proposal is open that this node has answered. */
const SHORT_POLL = 200;

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
  readonly #store: ConfigurationStore;
  readonly #folder: NodeFolder;
  readonly #log: () => Log;
  readonly #candidates: Candidates;
  readonly #active: ActiveRevision;
  readonly #edits: HandEdits;
  readonly #looking = new SingleFlight(() => this.#look());
  readonly #answering = new SingleFlight(() => this.#answer());
  readonly #syncing = new SingleFlight(() => this.#sync());
  readonly #editing = new SingleFlight(() => this.#edits.publishOthers(this.#active.written));
  readonly #stopping = new AbortController();
  readonly #access: StoreAccess;
  #answered: string | undefined;
  /** The open proposal, as far as this node knows. */
  #proposal: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopHints: (() => void) | undefined;

  constructor({ host, deployment, folder, status, log }: NodeParts) {
    const { store, documents } = deployment;
    this.status = status;
    this.#host = host;
    this.#store = store;
    this.#folder = folder;
    this.#log = log;
    this.#access = new StoreAccess(log, this.#stopping.signal);
    this.#candidates = new Candidates(host, store, documents);
    this.#active = new ActiveRevision({
      host,
      documents,
      folder,
      status,
      log,
      files: new RevisionFiles(documents, folder, log()),
      candidates: this.#candidates,
    });
    this.#edits = new HandEdits(host, deployment, log);
    deployment.onWritten = async (revision) => {
      await this.#active.adopt(revision);
      await this.#access.attempt(() => this.#announce());
    };
    deployment.applied = () => this.#active.applied;
    deployment.onUnavailable = (reason) => this.#access.report(reason);
    deployment.follow = () => this.#catchUp();
  }

  /** Whether the store could be reached when it was last looked at. */
  get isAvailable(): boolean {
    return this.#access.isAvailable;
  }

  /**
   * Begins to follow the store, with the application that is active now.
   * @param content the revision that it was built from; undefined to seed an empty store
   * @param problem why that is not the current one
   */
  async start(content: RevisionContent | undefined, problem: string | undefined): Promise<void> {
    await this.#active.begin(content, problem);
    this.#stopHints = this.#store.onHint(() => void this.#looking.run());
    await this.#looking.run();
    await this.#syncing.run();
    this.#schedule();
  }

  /** Others do not wait for this node from now on. Never rejects. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.status.stop();
    clearTimeout(this.#timer);
    this.#stopHints?.();
    await this.#store.leave(this.status.name.id).catch(() => undefined);
    await this.#candidates.discard(this.#active.applied).catch((error: unknown) => {
      this.#log().warn({ reason: errorMessage(error) }, 'A file of a proposal could not be removed.');
    });
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
        await this.#edits.publishAll(candidate.configuration, this.#active.written);
        await this.#active.readRunning();
      } catch (error) {
        await prepared.discard();
        throw error;
      }
      return prepared.activate();
    });
  }

  #schedule(): void {
    if (this.#stopping.signal.aborted) return;
    clearTimeout(this.#timer);
    const isAwaited = this.#proposal !== undefined && this.#proposal === this.#answered;
    const wait = isAwaited ? SHORT_POLL : POLL;
    this.#timer = setTimeout(() => void this.#looking.run().finally(() => this.#schedule()), wait);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    // Also while the store is out of reach: it is kept for a start without it.
    if (!this.#stopping.signal.aborted) await this.#active.keep();
    await this.#access.attempt(async () => {
      const head = await this.#store.head();
      assertFormat(head);
      if (head === undefined) await this.#edits.seed(this.#active.applied, this.status);
      else await this.#follow(head);
      await this.#announce();
    });
  }

  async #announce(): Promise<void> {
    // After it has left, it would appear again.
    if (!this.#stopping.signal.aborted) await this.#store.announce(this.status.report());
  }

  async #follow(head: Head): Promise<void> {
    const isCurrent = this.#active.isAt(head);
    this.#proposal = head.proposal;
    if (head.proposal !== undefined && head.proposal !== this.#answered) void this.#answering.run();
    if (head.proposal === undefined && this.#answered !== undefined && isCurrent) {
      this.#answered = undefined;
      await this.#candidates.discard(this.#active.applied);
    }
    if (this.#active.isDue(head)) void this.#syncing.run();
    else if (head.proposal === undefined && this.#active.hasFilesOf(head)) void this.#editing.run();
  }

  #answer(): Promise<void> {
    return this.#access.attempt(async () => {
      const proposal = await this.#store.proposal();
      const { id } = this.status.name;
      // Its own has been built already.
      if (proposal === undefined || proposal.id === this.#answered || proposal.revision.node === id) return;
      const { applied, running } = this.#active;
      const answer = await this.#candidates.judge(proposal, applied, running);
      await this.#store.answer(proposal.id, id, answer);
      this.#answered = proposal.id;
      this.#schedule();
      if (answer.ok) return;
      this.#log().warn({ reason: answer.message, from: proposal.revision.node }, 'Refused a configuration.');
    });
  }

  /** @throws ConfigurationUnavailable if this node is behind afterwards, or the store cannot be reached */
  async #catchUp(): Promise<void> {
    const head = await this.#store.head();
    if (head !== undefined && !this.#active.isAt(head)) await this.#syncing.run();
    const { name, state, problem = '', revision } = this.status;
    if (state === 'behind')
      throw new ConfigurationUnavailable(
        `The node ${name.id} cannot use the current revision of the configuration, and serves revision ${revision}: ${problem} Correct that, or make the change on another node.`,
      );
  }

  /** Activates the current revision. */
  #sync(): Promise<void> {
    return this.#access.attempt((signal) =>
      this.#host.exclusively(async () => {
        const { head, revision } = (await this.#store.current()) ?? {};
        if (head === undefined || revision === undefined || signal.aborted) return;
        assertFormat(head);
        if (!this.#active.isDue(head)) return;
        const [content, history] = await Promise.all([
          readContent(this.#store, revision),
          this.#store.history(),
        ]);
        await this.#active.activate(content, history);
        await this.#announce();
      }),
    );
  }
}
