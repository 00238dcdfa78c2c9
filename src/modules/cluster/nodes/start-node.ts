import {
  ConfigurationError,
  ConfigurationUnavailable,
  serverSettings,
  type Application,
  type ApplicationHost,
  type Configuration,
  type Environment,
  type Log,
} from '../../../framework';
import type { ConfigurationStore, Head } from '../store/configuration-store';
import { assertFormat } from '../store/store-format';
import type { SeenNode } from '../store/node-report';
import { Membership } from '../membership';
import { openStore } from '../store/open-store';
import { ClusterNode } from './cluster-node';
import { DeploymentConfiguration } from './deployment-configuration';
import { nameNode, NodeFolder, type NodeName, type RevisionContent } from './node-folder';
import { NodeStatus, type RequestTotals } from './node-status';
import { knownSince, readContent, RevisionFiles } from './revision-files';
import { LIVE } from './rollout';

export interface NodeOptions {
  readonly environment: Environment;
  readonly log: Log;
  /** Of the software. */
  readonly version: string;
  readonly totals: () => RequestTotals;
}

/** A node whose files are ready for its first application. */
export class StartingNode {
  readonly #host: ApplicationHost;
  readonly #options: NodeOptions;
  readonly #deployment: DeploymentConfiguration;
  readonly #folder: NodeFolder;
  readonly #status: NodeStatus;
  readonly #files: RevisionFiles;
  readonly #lastGood: RevisionContent | undefined;
  /** The revision whose files are on the disk; undefined for an empty store. */
  #content: RevisionContent | undefined;
  #problem: string | undefined;

  private constructor(
    host: ApplicationHost,
    options: NodeOptions,
    parts: {
      readonly store: ConfigurationStore;
      readonly folder: NodeFolder;
      readonly name: NodeName;
      readonly lastGood: RevisionContent | undefined;
    },
  ) {
    const { store, folder, name, lastGood } = parts;
    this.#host = host;
    this.#options = options;
    this.#folder = folder;
    this.#lastGood = lastGood;
    this.#deployment = new DeploymentConfiguration({ root: host.root, store, node: name.id });
    this.#status = new NodeStatus(name, options.version, options.totals);
    this.#files = new RevisionFiles(this.#deployment.documents, folder, options.log);
  }

  /**
   * Joins the deployment that a configuration names, and writes its files.
   * @throws ConfigurationError if the store is out of reach at the first start of this node, has another format, or knows
   *   a running node with this name
   */
  static async open(
    host: ApplicationHost,
    configuration: Configuration,
    options: NodeOptions,
  ): Promise<StartingNode> {
    const store = openStore(configuration);
    if (store === undefined) throw new TypeError('The configuration is kept in files.');
    const { port } = configuration.section('server', serverSettings);
    const name = await nameNode(host.root, options.environment.PLATFORM_NODE, port);
    const folder = new NodeFolder(host.root, name.id);
    try {
      await folder.hold();
      const node = new StartingNode(host, options, {
        store,
        folder,
        name,
        lastGood: await folder.lastGood(),
      });
      await node.#prepareFiles();
      host.share(node.#deployment);
      return node;
    } catch (error) {
      await store.close();
      await folder.release();
      throw error;
    }
  }

  /**
   * Builds the first application, from the last revision that this node has served if the current one cannot be built.
   * @throws ConfigurationError if there is none
   */
  async build(first: () => Promise<Application>): Promise<Application> {
    try {
      return await first();
    } catch (error) {
      const good = this.#lastGood;
      const isOther = good !== undefined && good.revision.number !== this.#content?.revision.number;
      if (!isOther || !(error instanceof ConfigurationError)) throw error;
      this.#problem = error.message;
      await this.#write(good, [
        good.revision,
        ...(this.#content === undefined ? [] : [this.#content.revision]),
      ]);
      const application = await this.#host.build();
      application.warnings.push(
        `The current revision of the configuration cannot be used on this node, which starts with the last one that it has served, ${good.revision.number}. ${error.message}`,
      );
      return application;
    }
  }

  /** Follows the deployment, once the application is active. */
  async start(): Promise<ClusterNode> {
    const node = new ClusterNode({
      host: this.#host,
      deployment: this.#deployment,
      folder: this.#folder,
      status: this.#status,
      log: () => this.#host.current.logOf('cluster'),
    });
    this.#host.reloadElsewhere(() => node.reload());
    this.#host.current.sharedState.getOrCreate(Membership, () => new Membership(node));
    await node.start(this.#content, this.#problem);
    return node;
  }

  async abandon(): Promise<void> {
    await this.#deployment.store.leave(this.#status.name.id).catch(() => undefined);
    await this.#deployment.store.close();
    await this.#folder.release();
  }

  async #prepareFiles(): Promise<void> {
    const { store } = this.#deployment;
    try {
      const [head, nodes] = await reach(store);
      assertFormat(head);
      this.#assertOnly(nodes);
      const [revision, history] = await Promise.all([
        head && store.revision(head.number),
        store.history(),
        store.announce(this.#status.report()),
      ]);
      if (revision === undefined) return;
      const known = knownSince(this.#lastGood?.revision, revision, history, this.#options.log);
      await this.#write(await readContent(store, revision), known);
    } catch (error) {
      if (!(error instanceof ConfigurationUnavailable)) throw error;
      if (this.#lastGood === undefined)
        throw new ConfigurationError(
          `The configuration store cannot be reached, and this node has no revision of its own yet: ${error.message}. Start it when the store can be reached.`,
          { cause: error },
        );
      const { revision } = this.#lastGood;
      this.#options.log.warn(
        { reason: error.message, revision: revision.number },
        'The configuration store cannot be reached. This node starts with the last revision that it has served.',
      );
      // Password files may be newer: they are kept before a revision is.
      await this.#files.writeMissing(this.#lastGood);
      await this.#files.writeLocal(this.#lastGood, [revision]);
      this.#content = this.#lastGood;
    }
  }

  async #write(content: RevisionContent, known: Parameters<RevisionFiles['writeLocal']>[1]): Promise<void> {
    await this.#files.writeOthers(content, known);
    await this.#files.writeLocal(content, known);
    this.#content = content;
  }

  /** @throws ConfigurationError for a running node of the same name on another machine */
  #assertOnly(nodes: readonly SeenNode[]): void {
    const { id, folder } = this.#status.name;
    const other = nodes.find((node) => node.id === id && node.folder !== folder && node.age < LIVE);
    if (other === undefined) return;
    throw new ConfigurationError(
      `A node with the name ${id} runs on ${other.host} (process ${other.pid}). Set PLATFORM_NODE to a name that no other node has.`,
    );
  }
}

/** A server that has just been started may not accept connections yet. */
async function reach(
  store: ConfigurationStore,
): Promise<readonly [head: Head | undefined, nodes: readonly SeenNode[]]> {
  const end = performance.now() + 3_000;
  for (;;) {
    try {
      return await Promise.all([store.head(), store.nodes()]);
    } catch (error) {
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
