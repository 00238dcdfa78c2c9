import { LOG, LOG_SLOTS } from '../redis/count-scripts';
import type { RedisChannel } from '../redis/channel';
import type { RedisLink } from '../redis/redis-link';
import type { CountEntry } from './count-batch';

/** What a client has used, as the log has it: the age in milliseconds, and how much. */
type LoggedUse = readonly [age: number, amount: number];

/** What the log has about a client. */
export interface LoggedCount {
  readonly log: string;
  /** In seconds. */
  readonly window: number;
  readonly client: string;
  /** Newest first. */
  readonly uses: readonly LoggedUse[];
}

/** Replies to a scan have about so many clients. */
const SCAN_COUNT = 500;

/** The counts of all nodes in Redis, by slots of a window, for nodes that start or have missed messages. */
export class CountLog {
  readonly #link: RedisLink;
  readonly #channel: RedisChannel;
  readonly #key: string;

  constructor(link: RedisLink, channel: RedisChannel, prefix: string) {
    this.#link = link;
    this.#channel = channel;
    this.#key = `${prefix}:counts`;
  }

  /** Adds entries, and publishes them. @throws DeploymentUnavailable */
  async write(topic: string, entries: readonly CountEntry[]): Promise<void> {
    const message = this.#channel.envelope(topic, JSON.stringify(entries));
    await this.#link.run(LOG, [this.#key, this.#channel.name, message, ...entries.flat()]);
  }

  /**
   * Reads what is counted now.
   * @param now by the clock of Redis
   * @throws DeploymentUnavailable
   */
  async *read(now: number): AsyncGenerator<LoggedCount> {
    const logs = await this.#link.command('ZRANGE', this.#key, 0, -1);
    for (const member of Array.isArray(logs) ? logs.map(String) : []) {
      const end = member.lastIndexOf(' ');
      const [log, window] = [member.slice(0, end), Number(member.slice(end + 1))];
      if (!(window > 0)) continue;
      const clients = new Map<string, LoggedUse[]>();
      const length = (window * 1_000) / LOG_SLOTS;
      const newest = Math.floor(now / length);
      for (let slot = newest; slot >= newest - LOG_SLOTS; slot--) {
        const age = Math.max(0, now - (slot + 1) * length);
        for await (const [client, amount] of this.#scan(`${this.#key}:${log}:${slot}`)) {
          const uses = clients.get(client) ?? [];
          clients.set(client, uses);
          uses.push([age, amount]);
        }
      }
      for (const [client, uses] of clients) yield { log, window, client, uses };
    }
  }

  /** A client may appear twice while the hash changes: with its last amount, as fields of a hash are. */
  async *#scan(key: string): AsyncGenerator<readonly [client: string, amount: number]> {
    const found = new Map<string, number>();
    let cursor = '0';
    do {
      const reply = await this.#link.command('HSCAN', key, cursor, 'COUNT', SCAN_COUNT);
      const [next, fields] = (Array.isArray(reply) ? reply : []) as readonly unknown[];
      cursor = typeof next === 'string' ? next : '0';
      const texts = Array.isArray(fields) ? fields.map(String) : [];
      for (let at = 0; at + 1 < texts.length; at += 2) found.set(texts[at] ?? '', Number(texts[at + 1]));
    } while (cursor !== '0');
    yield* found;
  }
}
