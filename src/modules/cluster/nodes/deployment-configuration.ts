import {
  ConfigurationChanged,
  ConfigurationUnavailable,
  type DeploymentNodes,
  type FilePublication,
  type RevisionAuthor,
  type SharedConfiguration,
} from '../../../framework';
import type { ConfigurationStore } from '../store/configuration-store';
import { storableText } from '../store/storable-text';
import { hashOf, type StoredRevision } from '../store/stored-revision';
import { LIVE, Rollout } from './rollout';
import { sharedPath, SharedDocuments } from './shared-documents';
import { StoredRepository, type Changes, type RevisionChanges } from './stored-repository';

const TOPIC = 'configuration';
/** How often a change of a file is proposed if others change other files meanwhile. */
const ATTEMPTS = 10;

/** Messages between the nodes, such as those of a RedisChannel. */
export interface HintMessages {
  readonly name: string;
  envelope(topic: string, message: string): string;
  subscribe(
    topic: string,
    listener: { readonly message: () => void; readonly missed: () => void },
  ): () => void;
}

export interface DeploymentOptions {
  readonly root: string;
  readonly store: ConfigurationStore;
  /** The id of this node; undefined for a command. */
  readonly node: string | undefined;
}

/** The configuration of a deployment, as a node or a command on its machine changes it. */
export class DeploymentConfiguration implements SharedConfiguration, RevisionChanges {
  readonly store: ConfigurationStore;
  readonly documents: SharedDocuments;
  readonly repository: StoredRepository;
  readonly #root: string;
  readonly #node: string | undefined;
  readonly #rollout: Rollout;
  #channel: HintMessages | undefined;
  #nodes: DeploymentNodes;
  onWritten: (revision: StoredRevision) => Promise<void> = () => Promise.resolve();
  /** Called before a change is tried again on the current revision. A command has read that already. */
  follow: () => Promise<void> = () => Promise.resolve();
  /** Called with a failure of the store. */
  onUnavailable: (reason: string) => void = () => undefined;
  /** The revision whose files are on this disk, if that is known. */
  applied: () => StoredRevision | undefined = () => undefined;

  constructor({ root, store, node }: DeploymentOptions) {
    this.store = store;
    this.#nodes = { store: store.kind, revision: 0, nodes: [] };
    this.#root = root;
    this.#node = node;
    this.#rollout = new Rollout(store, node);
    this.documents = new SharedDocuments(root);
    this.repository = new StoredRepository(root, this);
  }

  /** Uses messages of Redis as hints; called for each application. */
  connectHints(channel: HintMessages): void {
    if (channel === this.#channel) return;
    this.#channel = channel;
    this.store.useHints({
      name: channel.name,
      message: channel.envelope(TOPIC, ''),
      subscribe: (listener) => channel.subscribe(TOPIC, { message: listener, missed: listener }),
    });
  }

  /** The current revision. @throws ConfigurationUnavailable without one */
  async current(): Promise<StoredRevision> {
    const revision = (await this.store.current())?.revision;
    if (revision === undefined)
      throw new ConfigurationUnavailable('The configuration store is empty: start a node first.');
    return revision;
  }

  /**
   * Changes files on all nodes; the caller writes them here.
   * @throws the errors of {@link Rollout.run}
   */
  async change(base: StoredRevision, changes: Changes, author: RevisionAuthor): Promise<StoredRevision> {
    const documents = new Map(Object.entries(base.documents));
    const contents = new Map<string, Buffer>();
    for (const [name, content] of changes) {
      if (content === undefined) {
        documents.delete(name);
        continue;
      }
      const hash = hashOf(content);
      documents.set(name, hash);
      contents.set(hash, content);
    }
    const revision = {
      number: base.number + 1,
      at: new Date().toISOString(),
      ...author,
      by: storableText(author.by),
      summary: storableText(author.summary),
      node: this.#node ?? 'command line',
      documents: Object.fromEntries(documents),
    };
    await this.#rollout.run(revision, contents).catch((error: unknown) => {
      if (error instanceof ConfigurationUnavailable) this.onUnavailable(error.message);
      throw error;
    });
    return revision;
  }

  async publish({ file, before, after }: FilePublication, author: RevisionAuthor): Promise<void> {
    const name = sharedPath(this.#root, file);
    // Each node has its own.
    if (name === undefined) return;
    const changes = new Map([[name, Buffer.from(after)]]);
    for (let attempts = ATTEMPTS; ; attempts--) {
      const base = await this.current();
      await this.assertNotStale(base, name, before);
      try {
        await this.change(base, changes, author);
        return;
      } catch (error) {
        // Another change, of another file.
        if (!(error instanceof ConfigurationChanged) || attempts === 1) throw error;
      }
    }
  }

  async nodes(): Promise<DeploymentNodes> {
    try {
      this.#nodes = await this.#currentNodes();
      return this.#nodes;
    } catch (error) {
      if (!(error instanceof ConfigurationUnavailable)) throw error;
      return { ...this.#nodes, problem: error.message };
    }
  }

  async #currentNodes(): Promise<DeploymentNodes> {
    const [head, nodes] = await Promise.all([this.store.head(), this.store.nodes()]);
    return {
      store: this.store.kind,
      revision: head?.number ?? 0,
      nodes: nodes.map(({ age, instance: _, folder: __, ...node }) => ({
        ...node,
        state: age < LIVE ? node.state : 'unreachable',
        lastSeen: Math.round(age / 100) / 10,
        isSelf: node.id === this.#node,
      })),
    };
  }

  /**
   * Whether a file differs from that of the deployment by an edit on this machine.
   * @throws ConfigurationChanged if it has an earlier state of the deployment: it was changed on another node
   */
  async assertNotStale(
    base: StoredRevision,
    name: string,
    content: Uint8Array | undefined,
  ): Promise<boolean> {
    const own = content === undefined ? undefined : hashOf(content);
    if (own === base.documents[name]) return false;
    if (this.applied()?.number === base.number) return true;
    const isEarlier = (await this.store.history()).some(({ documents }) => documents[name] === own);
    if (isEarlier) throw new ConfigurationChanged();
    return true;
  }
}
