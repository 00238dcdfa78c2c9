import type { Redis } from 'ioredis';
import { ConfigurationUnavailable, parseJson, errorMessage } from '../../../../framework';
import { redisClient } from '../../redis/redis-driver';
import {
  KEPT_REVISIONS,
  type HintChannel,
  type ConfigurationStore,
  type CurrentRevision,
  type Head,
  type Proposal,
} from '../configuration-store';
import { toAnswer, toNodeReport, type Answer, type NodeReport, type SeenNode } from '../node-report';
import { hashOfRevision, toStoredRevision, type Documents, type StoredRevision } from '../stored-revision';
import { STORE_KEYS, STORE_SCRIPTS } from './store-scripts';

/** Milliseconds that a command may take. */
const COMMAND_TIMEOUT = 3_000;
/** The error of the driver for a connection whose end it has not noticed yet. */
const UNWRITABLE = "Stream isn't writeable";
/** Of a connection whose other end is gone without a word, and of one to a server that was demoted. */
const NEEDS_ANOTHER = /^Command timed out|\bREADONLY /;

type Argument = string | number | Buffer;

/** A configuration store in Redis or Valkey. The server must persist its data. */
export class RedisStore implements ConfigurationStore {
  readonly kind = 'redis';
  readonly #client: Redis;
  readonly #keys: readonly string[];
  readonly #listeners = new Set<() => void>();
  #reason = 'not connected yet';
  #connecting: Promise<void> | undefined;
  /** The number of the revision with which a node was last announced. */
  #announced: number | undefined;
  #hints: Pick<HintChannel, 'name' | 'message'> | undefined;
  #endHints: () => void = () => undefined;

  /** Does not connect yet. @throws ConfigurationError if the driver is not installed */
  constructor({ url, prefix }: { readonly url: string; readonly prefix: string }) {
    this.#keys = STORE_KEYS.map((name) => `${prefix}:configuration:${name}`);
    this.#client = redisClient(url, 'apidesc-platform-configuration', { commandTimeout: COMMAND_TIMEOUT });
    this.#client.on('error', (error: Error) => (this.#reason = errorMessage(error)));
    this.#client.on('ready', () => (this.#reason = 'the connection was closed'));
  }

  useHints(channel: HintChannel): void {
    this.#endHints();
    this.#hints = channel;
    this.#endHints = channel.subscribe(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  async head(): Promise<Head | undefined> {
    return toHead(listOfTexts(await this.#run('head', [0])));
  }

  async current(): Promise<CurrentRevision | undefined> {
    const texts = listOfTexts(await this.#run('head', [1]));
    const [head, revision] = [toHead(texts), texts[4]];
    return (
      head && { head, revision: revision === undefined ? undefined : toStoredRevision(parseJson(revision)) }
    );
  }

  async revision(number: number): Promise<StoredRevision | undefined> {
    const text = await this.#attempt((client) => client.hget(this.#key('revisions'), String(number)));
    return text === null ? undefined : toStoredRevision(parseJson(text));
  }

  async history(): Promise<readonly StoredRevision[]> {
    const texts = await this.#attempt((client) => client.hvals(this.#key('revisions')));
    return texts
      .map((text) => toStoredRevision(parseJson(text)))
      .sort((one, other) => other.number - one.number)
      .slice(0, KEPT_REVISIONS);
  }

  async documents(hashes: readonly string[]): Promise<Documents> {
    if (hashes.length === 0) return new Map();
    const found = await this.#attempt((client) => client.hmgetBuffer(this.#key('documents'), ...hashes));
    return new Map(
      hashes.flatMap((hash, at) => {
        const content = found[at];
        return content === null || content === undefined ? [] : [[hash, content] as const];
      }),
    );
  }

  async seed(revision: StoredRevision, documents: Documents): Promise<boolean> {
    const args = [revision.number, hashOfRevision(revision), JSON.stringify(revision), ...flat(documents)];
    return (await this.#change('seed', args)) === 1;
  }

  async propose(
    { id, base, revision }: Proposal,
    documents: Documents,
  ): Promise<'proposed' | 'busy' | 'moved'> {
    const args = [id, base, JSON.stringify(revision), hashOfRevision(revision), ...flat(documents)];
    const result = await this.#change('propose', args);
    return result === 'proposed' || result === 'busy' ? result : 'moved';
  }

  async proposal(): Promise<Proposal | undefined> {
    const [id, base, proposed] = listOfTexts(await this.#run('proposal', []));
    if (id === undefined || proposed === undefined) return undefined;
    return { id, base: Number(base), revision: toStoredRevision(parseJson(proposed)) };
  }

  async answer(proposal: string, node: string, answer: Answer): Promise<void> {
    await this.#change('answer', [proposal, node, JSON.stringify(answer)]);
  }

  async answers(proposal: string): Promise<ReadonlyMap<string, Answer>> {
    const all = await this.#attempt((client) => client.hgetall(this.#key('answers')));
    const own = `${proposal} `;
    return new Map(
      Object.entries(all)
        .filter(([key]) => key.startsWith(own))
        .map(([key, text]) => [key.slice(own.length), toAnswer(parseJson(text))]),
    );
  }

  async withdraw(proposal: string): Promise<void> {
    await this.#change('withdraw', [proposal]);
  }

  async commit(proposal: string): Promise<boolean> {
    return (await this.#change('commit', [proposal])) === 1;
  }

  async announce(report: NodeReport): Promise<void> {
    const args = [report.id, JSON.stringify(report)];
    // A proposer waits for a node that activates a revision.
    await (report.revision === this.#announced
      ? this.#run('announce', args)
      : this.#change('announce', args));
    this.#announced = report.revision;
  }

  async leave(node: string): Promise<void> {
    await this.#attempt((client) => client.hdel(this.#key('nodes'), node));
  }

  async nodes(): Promise<readonly SeenNode[]> {
    const found = listOfTexts(await this.#run('nodes', []));
    const nodes: SeenNode[] = [];
    for (let at = 0; at + 1 < found.length; at += 2) {
      const report = toNodeReport(parseJson(found[at + 1] ?? ''));
      if (report !== undefined) nodes.push({ ...report, age: Math.max(0, Number(found[at])) });
    }
    return nodes.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  onHint(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    this.#endHints();
    this.#listeners.clear();
    this.#client.disconnect();
    return Promise.resolve();
  }

  #key(name: (typeof STORE_KEYS)[number]): string {
    return this.#keys[STORE_KEYS.indexOf(name)] ?? '';
  }

  #run(name: keyof typeof STORE_SCRIPTS, args: readonly Argument[]): Promise<unknown> {
    return this.#attempt((client) => this.#send(client, name, args));
  }

  /** Runs a script, and notifies the nodes: on the same connection, the notification follows without waiting for the reply. */
  #change(name: keyof typeof STORE_SCRIPTS, args: readonly Argument[]): Promise<unknown> {
    return this.#attempt((client) => {
      const reply = this.#send(client, name, args);
      if (this.#hints !== undefined)
        client.publish(this.#hints.name, this.#hints.message).catch(() => undefined);
      return reply;
    });
  }

  #send(client: Redis, name: keyof typeof STORE_SCRIPTS, args: readonly Argument[]): Promise<unknown> {
    return client.eval(STORE_SCRIPTS[name], this.#keys.length, ...this.#keys, ...args);
  }

  /** @throws ConfigurationUnavailable if the server cannot be reached, or fails */
  async #attempt<T>(command: (client: Redis) => Promise<T>): Promise<T> {
    try {
      if (this.#client.status === 'wait') this.#connecting ??= this.#client.connect();
      await this.#connecting?.finally(() => (this.#connecting = undefined));
      return await command(this.#client);
    } catch (error) {
      // Of a client that is not connected, or whose connection ends just now, only its last error says why.
      const isConnected = this.#client.status === 'ready' && !errorMessage(error).startsWith(UNWRITABLE);
      const reason = isConnected ? errorMessage(error) : this.#reason;
      if (isConnected && NEEDS_ANOTHER.test(reason)) this.#client.disconnect(true);
      throw new ConfigurationUnavailable(`Redis cannot be used: ${reason}`, { cause: error });
    }
  }
}

function toHead([format, number, hash, proposal]: readonly (string | undefined)[]): Head | undefined {
  if (number === undefined) return undefined;
  return {
    format: Number(format),
    number: Number(number),
    hash: hash ?? '',
    proposal: proposal === undefined || proposal === '' ? undefined : proposal,
  };
}

function flat(documents: Documents): readonly Argument[] {
  return [...documents].flat();
}

/** The reply of a script; what is missing becomes undefined. */
function listOfTexts(reply: unknown): readonly (string | undefined)[] {
  if (!Array.isArray(reply)) return [];
  return reply.map((one: unknown) =>
    typeof one === 'string' ? one : typeof one === 'number' ? String(one) : undefined,
  );
}
