import {
  ConfigurationChanged,
  ConfigurationError,
  ConfigurationUnavailable,
  fileMark,
  laterMark,
  LOCAL_FILE,
  type ApplicationHost,
  type Configuration,
  type Log,
  errorMessage,
} from '../../../framework';
import { hashOf, type StoredRevision } from '../store/stored-revision';
import type { DeploymentConfiguration } from './deployment-configuration';
import type { NodeStatus } from './node-status';
import { sharedPaths } from './shared-documents';
import { OUTSIDE } from './stored-repository';

/** Milliseconds before an edit that was refused is proposed again. */
const RETRY = 10_000;

/** Milliseconds for which a file must stay unchanged: `htpasswd` and editors empty a file before they write it. */
const SETTLE = 500;

/** Gives files that were edited on this machine, by hand or by other programs, to the other nodes. */
export class HandEdits {
  readonly #host: ApplicationHost;
  readonly #deployment: DeploymentConfiguration;
  readonly #log: () => Log;
  /** The marks of files that are as in the revision: not read again until they change. */
  readonly #seen = new Map<string, string>();
  /** The last edit that was refused, and when it is proposed again, by file. */
  readonly #refused = new Map<string, { readonly hash: string; readonly until: number }>();

  constructor(host: ApplicationHost, deployment: DeploymentConfiguration, log: () => Log) {
    this.#host = host;
    this.#deployment = deployment;
    this.#log = log;
  }

  /** Makes the files of this node the first revision of an empty store. */
  async seed(applied: StoredRevision | undefined, { name, state }: NodeStatus): Promise<void> {
    // Another node has a later revision.
    if (state === 'behind') return;
    const paths = new Set([...sharedPaths(this.#host.current.configuration), ...names(applied)]);
    const files = await this.#deployment.documents.readAll(paths);
    const documents = [...files].map(([file, content]) => [file, hashOf(content)] as const);
    const revision = {
      number: (applied?.number ?? 0) + 1,
      at: new Date().toISOString(),
      by: 'unknown',
      summary: `Configuration of the node ${name.id}.`,
      node: name.id,
      documents: Object.fromEntries(documents),
    };
    const contents = new Map([...files.values()].map((content) => [hashOf(content), content]));
    if (!(await this.#deployment.store.seed(revision, contents))) return;
    const message = 'The configuration store was empty. It has the configuration of this node now.';
    if (applied === undefined) this.#log().info({ documents: files.size }, message);
    else this.#log().warn({ documents: files.size }, message);
  }

  /**
   * Proposes all edited files, `local.json` too.
   * @param written the revision of the files on this disk: without the store, those that nobody has edited need none
   * @throws the errors of a change
   */
  async publishAll(configuration: Configuration, written: StoredRevision | undefined): Promise<void> {
    const base = await this.#deployment.current().catch((error: unknown) => {
      if (written === undefined || !(error instanceof ConfigurationUnavailable)) throw error;
      return written;
    });
    const changes = new Map<string, Buffer>();
    const paths = new Set([...sharedPaths(configuration), ...names(base)]);
    const files = await this.#deployment.documents.readAll(paths);
    for (const [name, content] of files) {
      // An earlier state is replaced soon.
      const isEdited = await this.#deployment.assertNotStale(base, name, content).catch(toStale);
      if (isEdited) changes.set(name, content);
    }
    if (!files.has(LOCAL_FILE) && base.documents[LOCAL_FILE] !== undefined) {
      const isRemoved = await this.#deployment.assertNotStale(base, LOCAL_FILE, undefined).catch(toStale);
      // This node alone would be without it.
      if (isRemoved)
        throw new ConfigurationError(
          `${LOCAL_FILE}, which all nodes share, is missing on this one: a restart writes it again. To remove what it has on all nodes, write {} to it, and reload.`,
        );
    }
    if (changes.size === 0) return;
    try {
      await this.#deployment.change(base, changes, OUTSIDE);
    } catch (error) {
      // The same files may have been edited on several nodes, which reload at the same time.
      if (!(error instanceof ConfigurationChanged) || !(await this.#isPublished(changes))) throw error;
    }
  }

  async #isPublished(changes: ReadonlyMap<string, Buffer>): Promise<boolean> {
    const { documents } = await this.#deployment.current();
    return [...changes].every(([name, content]) => documents[name] === hashOf(content));
  }

  /**
   * Proposes edited password files, which take effect here without a reload. The rest waits for one.
   * @param written the revision of the files on this disk
   */
  async publishOthers(written: StoredRevision | undefined): Promise<void> {
    if (written === undefined) return;
    const changes = new Map<string, Buffer>();
    for (const name of new Set([...sharedPaths(this.#host.current.configuration), ...names(written)])) {
      if (name === LOCAL_FILE) continue;
      const content = await this.#edited(name, written);
      if (content !== undefined) changes.set(name, content);
    }
    if (changes.size === 0) return;
    try {
      await this.#deployment.change(written, changes, OUTSIDE);
    } catch (error) {
      if (error instanceof ConfigurationChanged || error instanceof ConfigurationUnavailable) return;
      const files: string[] = [];
      for (const [name, content] of changes) {
        const hash = hashOf(content);
        if (this.#refused.get(name)?.hash !== hash) files.push(name);
        this.#refused.set(name, { hash, until: performance.now() + RETRY });
      }
      if (files.length === 0) return;
      const reason = errorMessage(error);
      this.#log().warn(
        { files, reason },
        'Files that were edited on this node cannot be sent to the other nodes yet. This is retried every ten seconds.',
      );
    }
  }

  /** @returns the content of a file that differs from the revision, and is not being written */
  async #edited(name: string, { documents }: StoredRevision): Promise<Buffer | undefined> {
    const file = this.#deployment.documents.fileOf(name);
    const mark = await fileMark(file);
    const seen = `${documents[name] ?? ''} ${mark}`;
    if (this.#seen.get(name) === seen) return undefined;
    // What reads it reports a file that cannot be read.
    const content = await this.#deployment.documents.read(name).catch(() => null);
    if (content === null) return undefined;
    const hash = content === undefined ? undefined : hashOf(content);
    if (hash === documents[name]) this.#seen.set(name, seen);
    const refused = this.#refused.get(name);
    const isWaiting = refused !== undefined && refused.hash === hash && performance.now() < refused.until;
    if (hash === documents[name] || isWaiting || content === undefined) return undefined;
    return (await laterMark(file, SETTLE)) === mark ? content : undefined;
  }
}

/** @throws any other error */
function toStale(error: unknown): boolean {
  if (error instanceof ConfigurationChanged) return false;
  throw error;
}

function names(revision: StoredRevision | undefined): readonly string[] {
  return Object.keys(revision?.documents ?? {});
}
