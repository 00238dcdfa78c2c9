import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import {
  ConfigurationError,
  FileError,
  isObject,
  makeFolder,
  parseJson,
  readFileIfExists,
  replaceFile,
  toError,
  withLock,
} from '../../../framework';
import { toStoredRevision, type StoredRevision } from '../store/stored-revision';

/** The folder of all nodes that run in a project. */
const NODES_FOLDER = 'data/nodes';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;
/** Milliseconds to wait for a process that ends. */
const LOCK_TIMEOUT = 2_000;

/** A revision with the content of its documents, by path. */
export interface RevisionContent {
  readonly revision: StoredRevision;
  readonly content: ReadonlyMap<string, Buffer>;
}

export interface NodeName {
  /** Unique in the deployment. */
  readonly id: string;
  /** Identifies the folder of the project among those of all machines. */
  readonly folder: string;
}

/**
 * Returns the id of a node: the one that `PLATFORM_NODE` has, or the name of the machine and the port, with a random part
 * that is kept in `data/nodes/id`. So two processes that share a project need other ports only.
 *
 * @param port `server.port`
 * @throws ConfigurationError for an invalid `PLATFORM_NODE`
 */
export async function nameNode(root: string, given: string | undefined, port: number): Promise<NodeName> {
  const folder = await folderId(root);
  if (given === undefined || given === '') return { id: `${folder}-${port}`, folder };
  if (NAME.test(given)) return { id: given, folder };
  throw new ConfigurationError(
    `The environment variable PLATFORM_NODE is ${JSON.stringify(given)}. Write the name of this node: 1 to 63 letters, digits, "-", "_" and ".".`,
  );
}

async function folderId(root: string): Promise<string> {
  const file = path.join(root, NODES_FOLDER, 'id');
  await makeFolder(path.dirname(file), 0o700);
  return await withLock(file, async (lock) => {
    const known = (await readFileIfExists(file))?.toString().trim() ?? '';
    if (NAME.test(known)) return known;
    const host = hostname()
      .replace(/[^A-Za-z0-9-]/g, '-')
      .replace(/^-+/, '')
      .slice(0, 40);
    const created = `${host === '' ? 'node' : host}-${randomBytes(3).toString('hex')}`;
    await lock.replace(`${created}\n`);
    return created;
  });
}

/** What a node keeps on its disk: `data/nodes/<id>`. */
export class NodeFolder {
  readonly #folder: string;
  #release: (() => void) | undefined;
  #released: Promise<void> | undefined;

  constructor(root: string, id: string) {
    this.#folder = path.join(root, NODES_FOLDER, id);
  }

  /**
   * Holds the folder until {@link release}, or the end of the process.
   * @throws ConfigurationError if another process holds it
   */
  async hold(): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    const target = path.join(this.#folder, 'process');
    await new Promise<void>((resolve, reject) => {
      this.#released = withLock(
        target,
        () =>
          new Promise<void>((release) => {
            this.#release = release;
            resolve();
          }),
        LOCK_TIMEOUT,
      ).catch((error: unknown) => reject(toRefusal(error, path.basename(this.#folder))));
    });
  }

  async release(): Promise<void> {
    this.#release?.();
    await this.#released;
  }

  /** The last revision that this node has served; undefined for none, or an unreadable file. */
  async lastGood(): Promise<RevisionContent | undefined> {
    const value = parseJson((await readFileIfExists(this.#file))?.toString() ?? '');
    if (!isObject(value) || !isObject(value.content)) return undefined;
    try {
      const content = Object.entries(value.content).flatMap(([name, text]) =>
        typeof text === 'string' ? [[name, Buffer.from(text, 'base64')] as const] : [],
      );
      return { revision: toStoredRevision(value.revision), content: new Map(content) };
    } catch {
      return undefined;
    }
  }

  /** Keeps a revision that this node serves. */
  async keep({ revision, content }: RevisionContent): Promise<void> {
    const texts = [...content].map(([name, bytes]) => [name, bytes.toString('base64')] as const);
    await makeFolder(this.#folder, 0o700);
    await replaceFile(this.#file, `${JSON.stringify({ revision, content: Object.fromEntries(texts) })}\n`);
  }

  /** Keeps a file that is about to be replaced. @returns where */
  async keepReplaced(name: string, content: Buffer): Promise<string> {
    const at = new Date().toISOString().replace(/[:.]/g, '-');
    const file = path.join(this.#folder, 'replaced', `${name.replaceAll('/', '_')}.${at}`);
    await makeFolder(path.dirname(file), 0o700);
    await replaceFile(file, content);
    return file;
  }

  get #file(): string {
    return path.join(this.#folder, 'revision.json');
  }
}

function toRefusal(error: unknown, id: string): Error {
  if (!(error instanceof FileError) || error.code !== 'ELOCKED') return toError(error);
  return new ConfigurationError(
    `Another process in this folder runs as node ${id}. Start this one with another PORT, or with PLATFORM_NODE set to a name of its own.`,
    { cause: error },
  );
}
