import type { Redis } from 'ioredis';
import { DeploymentUnavailable, steadyNow, errorMessage } from '../../../framework';
import { failureReason, redisClient } from './redis-driver';
import type { Script } from './scripts';
import { within } from './within';

/** Milliseconds that a command may take. */
export const COMMAND_TIMEOUT = 100;
/** Milliseconds between two checks of the connection. */
export const CHECK_INTERVAL = 500;
/** Failed checks after which the connection is made again: the other end may be gone without a word. */
export const MAX_FAILED_CHECKS = 4;

/** What a connection is for: called on each new one, and then regularly; it is usable once this has resolved. */
export type Check = (link: RedisLink) => Promise<void>;

/** The observer of a link. */
export interface LinkEvents {
  /** @param reason why, for operators */
  readonly lost: (reason: string) => void;
  readonly joined: () => void;
}

/**
 * A connection that is made again whenever it is lost. Nothing waits for it: while it is unusable, commands fail at
 * once, and a command whose reply was lost is never sent again.
 */
export class RedisLink {
  readonly #client: Redis;
  readonly #check: Check;
  readonly #events: LinkEvents;
  readonly #timer: NodeJS.Timeout;
  /** Counts connections: a check that began on another one proves nothing. */
  #connection = 0;
  #isUsable = false;
  #unusableSince = performance.now();
  #reason = 'not connected yet';
  #failedChecks = 0;
  #checking: Promise<void> | undefined;

  /** @throws ConfigurationError if the driver is not installed */
  constructor(url: string, check: Check, events: LinkEvents) {
    this.#check = check;
    this.#events = events;
    this.#client = redisClient(url, 'apidesc-platform');
    this.#client.on('error', (error: Error) => (this.#reason = error.message));
    this.#client.on('ready', () => {
      this.#connection++;
      this.#failedChecks = 0;
      this.check().catch(() => undefined);
    });
    this.#client.on('close', () => {
      this.#connection++;
      this.#lose(undefined);
    });
    this.#timer = setInterval(() => this.#tick(), CHECK_INTERVAL);
    this.#timer.unref();
    // The event `error` has the reason.
    this.#client.connect().catch(() => undefined);
  }

  /** Whether the last check succeeded. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** When it last became unusable, by `performance.now`: at first when it was created. */
  get unusableSince(): number {
    return this.#unusableSince;
  }

  /** @throws DeploymentUnavailable if the last check failed */
  assertUsable(): void {
    if (!this.#isUsable) throw this.#unavailable();
  }

  /** Why it is not usable. */
  get reason(): string {
    return this.#reason;
  }

  /**
   * Runs a script.
   * @param keys how many of the arguments are keys, if it varies
   * @throws DeploymentUnavailable if the link is not usable, or fails
   */
  async run(script: Script, args: readonly (string | number)[], keys = script.keys): Promise<unknown> {
    return await this.#use(() => this.evaluate(script, args, keys));
  }

  /**
   * Sends a command, which is never sent again.
   * @throws DeploymentUnavailable if the link is not usable, or fails
   */
  async command(name: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return await this.#use(() => within(this.#client.call(name, ...args), COMMAND_TIMEOUT));
  }

  async #use(send: () => Promise<unknown>): Promise<unknown> {
    this.assertUsable();
    try {
      return await send();
    } catch (error) {
      this.#lose(failureReason(error));
      // A single late reply need not wait for the next check.
      this.check().catch(() => undefined);
      throw this.#unavailable();
    }
  }

  /** Runs a script for a check, whether or not the link is usable yet. */
  async evaluate(
    { text, sha, keys: fixed }: Script,
    args: readonly (string | number)[],
    keys = fixed ?? 0,
  ): Promise<unknown> {
    try {
      return await within(this.#client.evalsha(sha, keys, ...args), COMMAND_TIMEOUT);
    } catch (error) {
      if (!errorMessage(error).startsWith('NOSCRIPT')) throw error;
      return await within(this.#client.eval(text, keys, ...args), COMMAND_TIMEOUT);
    }
  }

  /** Publishes a message. @throws DeploymentUnavailable if the link is not usable, or fails */
  async publish(channel: string, message: string): Promise<void> {
    await this.command('PUBLISH', channel, message);
  }

  info(): Promise<string> {
    return within(this.#client.info(), COMMAND_TIMEOUT);
  }

  /** How far the clock of the server is ahead of `steadyNow`, in milliseconds. */
  async clockOffset(): Promise<number> {
    const before = steadyNow();
    const reply = await within(this.#client.time(), COMMAND_TIMEOUT);
    const [seconds = 0, microseconds = 0] = reply.map(Number);
    const after = steadyNow();
    return seconds * 1_000 + microseconds / 1_000 - (before + after) / 2;
  }

  /** Checks the connection now; concurrent calls share a check. Rejects with the reason for which it failed. */
  check(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #checkOnce(): Promise<void> {
    const connection = this.#connection;
    try {
      await this.#check(this);
      if (connection !== this.#connection) throw new Error('the connection was lost');
    } catch (error) {
      if (connection === this.#connection) this.#failedChecks++;
      this.#lose(failureReason(error));
      throw error;
    }
    this.#failedChecks = 0;
    if (this.#isUsable) return;
    this.#isUsable = true;
    this.#events.joined();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isUsable = false;
    this.#client.removeAllListeners('close');
    this.#client.disconnect();
  }

  #tick(): void {
    if (this.#client.status === 'ready') this.check().catch(() => undefined);
    // A server that accepts connections but does not respond.
    else if (this.#client.status === 'connect') this.#failedChecks++;
    if (this.#failedChecks < MAX_FAILED_CHECKS) return;
    this.#failedChecks = 0;
    this.#client.disconnect(true);
  }

  /** @param reason undefined to keep the last one */
  #lose(reason: string | undefined): void {
    if (reason !== undefined) this.#reason = reason;
    if (!this.#isUsable) return;
    this.#isUsable = false;
    this.#unusableSince = performance.now();
    this.#events.lost(reason ?? 'the connection was closed');
  }

  /** Without its cause, whose message is the reason, or names options of the driver. */
  #unavailable(): DeploymentUnavailable {
    return new DeploymentUnavailable(`Redis cannot be reached: ${this.#reason}`);
  }
}
