import type { SharedState } from '../../../framework';
import { RateLimitState, ThrottleState } from '../../mvc-auth';
import { COMMAND_TIMEOUT } from '../redis/redis-link';
import type { RedisState } from '../redis/redis-state';
import { SingleFlight } from '../single-flight';
import { CountBatch, parseEntries, type CountEntry } from './count-batch';
import { CountLog, type LoggedCount } from './count-log';

/** Milliseconds for which changes are collected. */
const INTERVAL = 50;

/** Milliseconds after which reading is tried again. */
const RETRY = 50;

const TOPIC = 'counts';
/** The log of failed sign-ins; those of rate limits begin with {@link LIMIT}. */
const FAILURES = 'failures';
const LIMIT = 'limit ';

/**
 * Shares rate limits and failed sign-ins with other nodes: each counts at once what it sees itself, and adds what the
 * others report. A node that starts, or was without Redis, learns what the others have counted meanwhile. While Redis
 * cannot be reached, each node counts for itself.
 */
export class SharedCounts {
  readonly #redis: RedisState;
  readonly #log: CountLog;
  readonly #batch = new CountBatch();
  readonly #limits: ReturnType<RateLimitState['peers']['join']>;
  readonly #failures: ReturnType<ThrottleState['counts']['peers']['join']>;
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;
  readonly #learning = new SingleFlight(() => this.#learnOnceAvailable());
  #flushed: Promise<void> = Promise.resolve();
  /** Clients whose failures were forgotten while the log is read: it may have been read before. */
  #forgotten: Set<string> | undefined;
  #hasLearned = false;
  #isClosed = false;

  constructor(redis: RedisState, sharedState: SharedState, prefix: string) {
    this.#redis = redis;
    this.#log = new CountLog(redis.link, redis.channel, prefix);
    const limits = sharedState.getOrCreate(RateLimitState, () => new RateLimitState());
    const { counts } = sharedState.getOrCreate(ThrottleState, () => new ThrottleState());
    this.#limits = limits.peers.join((used) => {
      if (!('weight' in used)) return;
      this.#batch.add(LIMIT + used.name, used.window, used.client, used.weight);
      this.#schedule();
    });
    this.#failures = counts.peers.join((failure) => {
      if ('count' in failure) return;
      const { key, window } = failure;
      if (window === undefined) {
        this.#forgotten?.add(key);
        this.#batch.forget(FAILURES, this.#window, key);
      } else {
        this.#window = window;
        this.#batch.add(FAILURES, window, key, 1);
      }
      this.#schedule();
    });
    this.#unsubscribe = redis.channel.subscribe(TOPIC, {
      message: (text, isOwn) => {
        const entries = parseEntries(text) ?? [];
        if (isOwn) this.#batch.settle(entries);
        else for (const entry of entries) this.#receive(entry);
      },
      missed: () => void this.#learning.run(),
    });
  }

  /** The last window of failures, in seconds: it is the same everywhere, but for a change of the configuration. */
  #window = 60;

  /** Waits until the counts of the other nodes are known. @param timeout milliseconds */
  async learned(timeout: number): Promise<void> {
    await waitUntil(() => this.#hasLearned, timeout);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#unsubscribe();
    this.#limits.leave();
    this.#failures.leave();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.#flush(), INTERVAL).unref();
  }

  /** One after the other, in the order of the changes. */
  #flush(): Promise<void> {
    return (this.#flushed = this.#flushed.then(() => this.#send()));
  }

  /** Each entry is sent at most once: one whose reply was lost may have been counted. */
  async #send(): Promise<void> {
    // Not earlier: while reports take longer than the interval, ever more would wait for each other.
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parts = this.#batch.take();
    await Promise.all(
      parts.map((part) => this.#log.write(TOPIC, part).catch(() => this.#batch.settle(part))),
    );
    // The reply may arrive before the message, which shows the order.
    await waitUntil(() => this.#batch.isSettled || !this.#redis.channel.isConnected, COMMAND_TIMEOUT);
  }

  /**
   * Changes take effect in the order in which Redis publishes them, on all nodes: failures that arrive before a sign-in of this
   * node was published are forgotten by it, too.
   */
  #receive([log, window, client, amount]: CountEntry): void {
    if (log === FAILURES) {
      this.#window = window;
      const own = this.#batch.unpublished(FAILURES, window, client);
      if (amount === 0) {
        this.#forgotten?.add(client);
        this.#failures.receive({ key: client, window: undefined });
        // The others learn of these after the sign-in, and count them.
        this.#addFailures(client, window, own.amount);
      } else if (!own.isForgotten) this.#addFailures(client, window, amount);
    } else if (log.startsWith(LIMIT))
      this.#limits.receive({ name: log.slice(LIMIT.length), window, client, weight: amount });
  }

  #addFailures(key: string, window: number, amount: number): void {
    const times = Math.min(amount, MAX_FAILURES);
    for (let time = 0; time < times; time++) this.#failures.receive({ key, window });
  }

  /** Messages may arrive before other commands are possible, and the other way round. */
  async #learnOnceAvailable(): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#learnNow();
        this.#hasLearned = true;
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY).unref());
      }
    }
  }

  async #learnNow(): Promise<void> {
    this.#forgotten = new Set();
    try {
      // What has been counted here is part of what is read.
      await this.#flush();
      for await (const count of this.#log.read(this.#redis.now())) this.#adopt(count);
    } finally {
      this.#forgotten = undefined;
    }
  }

  /** More failures than there are may be learned, those before the window: they expire with it. */
  #adopt({ log, window, client, uses }: LoggedCount): void {
    if (log === FAILURES) {
      this.#window = window;
      if (this.#forgotten?.has(client) === true) return;
      const count = uses.reduce((sum, [, amount]) => sum + amount, 0);
      this.#failures.receive({ key: client, window, count, age: uses.at(-1)?.[0] ?? 0 });
    } else if (log.startsWith(LIMIT))
      this.#limits.receive({ name: log.slice(LIMIT.length), window, client, uses });
  }
}

/** Failures of one client in one message that are counted: more than any limit needs. */
const MAX_FAILURES = 10_000;

/** @param timeout milliseconds */
async function waitUntil(condition: () => boolean, timeout: number): Promise<void> {
  const end = performance.now() + timeout;
  while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
}
