import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Log } from '../../../framework';
import { failureReason, redisClient } from './redis-driver';
import { CHECK_INTERVAL, MAX_FAILED_CHECKS, type RedisLink } from './redis-link';
import { within } from './within';

/** Octets of a message at most. Larger ones would fill the buffers in which Redis keeps them for slow subscribers. */
export const MAX_MESSAGE = 256 * 1024;

/** Milliseconds that a reply may take: no request waits for a message, which is of use also if it is late. */
const REPLY_TIMEOUT = CHECK_INTERVAL;

/** The callbacks of a subscriber. Both must return soon, and may throw. */
export interface ChannelListener {
  /** @param isOwn whether this channel has published it */
  readonly message: (text: string, isOwn: boolean) => void;
  /**
   * Messages may have been missed: called whenever the subscription begins, the first time too. Read what the messages
   * are about.
   */
  readonly missed?: () => void;
}

export interface ChannelOptions {
  readonly url: string;
  /** Begins the name of the channel in Redis. */
  readonly prefix: string;
  /** Publishes: a connection that subscribes may send nothing else. */
  readonly link: Pick<RedisLink, 'publish'>;
  readonly log: Log;
}

/**
 * Messages between the nodes of a deployment, over publish/subscribe of Redis: each reaches, within milliseconds, the
 * nodes that are connected, or is lost. A message is therefore a hint; what counts is kept elsewhere.
 *
 * @example
 * const stop = channel.subscribe('sessions', { message: (id) => forget(id), missed: () => forgetAll() });
 * void channel.publish('sessions', id);
 */
export class RedisChannel {
  /** Of this channel: no other process has it. */
  readonly #id = randomBytes(12).toString('base64url');
  /** Of the channel in Redis. */
  readonly name: string;
  readonly #link: ChannelOptions['link'];
  readonly #log: Log;
  readonly #client: Redis;
  #timer: NodeJS.Timeout | undefined;
  readonly #listeners = new Map<string, Set<ChannelListener>>();
  #isConnected = false;
  #isClosed = false;
  /** Whether it could not subscribe since it last could. */
  #hasFailed = false;
  #failedChecks = 0;

  /** Connects with the first subscription. @throws ConfigurationError if the driver is not installed */
  constructor({ url, prefix, link, log }: ChannelOptions) {
    this.name = `${prefix}:messages`;
    this.#link = link;
    this.#log = log;
    this.#client = redisClient(url, 'apidesc-platform-messages');
    // The link reports why Redis cannot be reached.
    this.#client.on('error', () => undefined);
    this.#client.on('ready', () => void this.#begin());
    this.#client.on('close', () => (this.#isConnected = false));
    this.#client.on('message', (_name: string, text: string) => this.#receive(text));
  }

  /** Whether messages of other nodes arrive, as far as is known. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /**
   * Sends a message to all subscribers of all nodes, this one included; never rejects.
   * @returns whether Redis has received it
   * @throws RangeError for a message of more than 256 KiB
   */
  async publish(topic: string, message: string): Promise<boolean> {
    if (Buffer.byteLength(message) > MAX_MESSAGE)
      throw new RangeError(`A message of "${topic}" has more than ${MAX_MESSAGE} octets.`);
    try {
      await this.#link.publish(this.name, this.envelope(topic, message));
      return true;
    } catch {
      return false;
    }
  }

  /** A message as it is published in the channel: for those who publish with what they write. */
  envelope(topic: string, message: string): string {
    return `${this.#id} ${topic} ${message}`;
  }

  /**
   * @param topic without spaces
   * @returns ends the subscription
   */
  subscribe(topic: string, listener: ChannelListener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    this.#connect();
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#isConnected = false;
    clearInterval(this.#timer);
    this.#client.disconnect();
  }

  #connect(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setInterval(() => this.#tick(), CHECK_INTERVAL);
    this.#timer.unref();
    this.#client.connect().catch(() => undefined);
  }

  async #begin(): Promise<void> {
    this.#failedChecks = 0;
    try {
      await within(this.#client.subscribe(this.name), REPLY_TIMEOUT);
    } catch (error) {
      if (this.#isClosed) return;
      // It is tried again several times a second.
      if (!this.#hasFailed)
        this.#log.warn(
          { reason: failureReason(error) },
          'Cannot subscribe to messages of other nodes in Redis.',
        );
      this.#hasFailed = true;
      this.#client.disconnect(true);
      return;
    }
    if (this.#isClosed) return;
    this.#isConnected = true;
    this.#hasFailed = false;
    for (const [topic, listeners] of this.#listeners)
      for (const { missed } of [...listeners]) this.#tell(topic, () => missed?.());
  }

  #receive(text: string): void {
    const [, id = '', topic = '', message = ''] = /^(\S+) (\S+) ([^]*)$/.exec(text) ?? [];
    for (const listener of [...(this.#listeners.get(topic) ?? [])])
      this.#tell(topic, () => listener.message(message, id === this.#id));
  }

  /** One listener that fails takes nothing from the others. */
  #tell(topic: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ err: error, topic }, 'A message from another node could not be handled.');
    }
  }

  /** Finds a server that went away without a word. */
  #tick(): void {
    if (this.#client.status === 'ready') {
      within(this.#client.ping(), REPLY_TIMEOUT).then(
        () => (this.#failedChecks = 0),
        () => this.#failedChecks++,
      );
    } else if (this.#client.status === 'connect') this.#failedChecks++;
    if (this.#failedChecks < MAX_FAILED_CHECKS) return;
    this.#failedChecks = 0;
    this.#client.disconnect(true);
  }
}
