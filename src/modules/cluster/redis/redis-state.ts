import { createHash, randomBytes } from 'node:crypto';
import {
  ConfigurationError,
  DeploymentUnavailable,
  steadyNow,
  type ClaimResult,
  type DeploymentKeys,
  type DeploymentState,
  type DeploymentStore,
  type IssuedNonce,
  type Log,
  type NonceCounter,
  type SharedDocuments,
} from '../../../framework';
import { RedisChannel } from './channel';
import { ClaimBatches, type ScriptResult } from './claim-batches';
import { RedisCounts } from './redis-counts';
import { RedisDocuments } from './redis-documents';
import { failureReason } from './redis-driver';
import { RedisLink } from './redis-link';
import { NonceBits } from './nonce-bits';
import { JOIN } from './scripts';
import { parseServerInfo } from './server-info';

export interface RedisStateOptions {
  readonly url: string;
  /** Begins the names of all keys. */
  readonly prefix: string;
  readonly keys: DeploymentKeys;
  readonly log: Log;
}

/** How often each result of a claim occurred, and how often there was none. */
export type ClaimTotals = Readonly<Record<ClaimResult | 'failed', number>>;

/** The state of a deployment in Redis or Valkey. */
export class RedisState implements DeploymentState, DeploymentStore {
  readonly #prefix: string;
  readonly #log: Log;
  readonly #fingerprints: readonly [current: string, previous: string];
  readonly link: RedisLink;
  /** Messages between the nodes. */
  readonly channel: RedisChannel;
  readonly #claims: ClaimBatches;
  readonly exactCounts: RedisCounts;
  readonly documents: SharedDocuments;
  readonly #totals = { accepted: 0, used: 0, stale: 0, failed: 0 };
  /** Until the first connection a value that the server never has: nonces that are issued meanwhile become stale. */
  #generation = randomGeneration();
  #offset = 0;
  #hasJoined = false;
  #evictionPolicy: string | undefined;
  /** What no later connection changes by itself. */
  #refusal: ConfigurationError | undefined;

  /** Connects. @throws ConfigurationError if the driver is not installed */
  constructor({ url, prefix, keys, log }: RedisStateOptions) {
    this.#prefix = prefix;
    this.#log = log;
    const [current = '', previous = ''] = keys.derive('check').map(fingerprint);
    this.#fingerprints = [current, previous];
    this.link = new RedisLink(url, (link) => this.#join(link), {
      joined: () => log.info({}, 'Connected to Redis.'),
      lost: (reason) =>
        log.warn(
          { reason },
          'Redis cannot be reached. Digest responds with 503 until it can; everything else continues.',
        ),
    });
    this.#claims = new ClaimBatches(this.link, prefix + GENERATION);
    this.channel = new RedisChannel({ url, prefix, link: this.link, log });
    this.exactCounts = new RedisCounts(this.link, prefix);
    this.documents = new RedisDocuments(this.link, () => `${prefix}:${this.#generation}`);
  }

  get generation(): string {
    return this.#generation;
  }

  get isAvailable(): boolean {
    return this.link.isUsable;
  }

  get totals(): ClaimTotals {
    return this.#totals;
  }

  /** E.g. `noeviction`; undefined before the first connection. */
  get evictionPolicy(): string | undefined {
    return this.#evictionPolicy;
  }

  /** The clock of the server, so that the clocks of the nodes need not agree. */
  now(): number {
    return steadyNow() + this.#offset;
  }

  /**
   * Waits for the connection, but not for one that has been out of reach for so long already.
   * @param timeout milliseconds since it is out of reach
   * @returns why there is none; undefined if there is
   * @throws ConfigurationError if the server refuses this node, or cannot be used at all
   */
  async connected(timeout: number): Promise<string | undefined> {
    while (!this.isAvailable && performance.now() < this.link.unusableSince + timeout) {
      this.#assertAccepted();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    // A reason of the past stays.
    if (this.isAvailable) return undefined;
    this.#assertAccepted();
    return this.link.reason;
  }

  counterFor(issued: IssuedNonce): NonceCounter {
    const { nonce, expiresAt, generation } = issued;
    const bits = new NonceBits(`${this.#prefix}:${generation}:n:${nonce}`, expiresAt);
    return { claim: (count) => this.#claim(generation, bits, count) };
  }

  assertAvailable(): void {
    this.link.assertUsable();
  }

  #claim(generation: string, bits: NonceBits, count: number): ClaimResult | Promise<ClaimResult> {
    if (generation !== this.#generation) return this.#count('stale');
    return this.#claims.claim(generation, bits.of(count)).then(this.#onResult, this.#onFailure);
  }

  readonly #onResult = (result: ScriptResult): ClaimResult | Promise<ClaimResult> => {
    if (result === 'accepted' || result === 'used') return this.#count(result);
    if (result !== 'other generation') return this.#count('stale');
    // The client gets a nonce of the new generation at once.
    return this.link.check().then(
      () => this.#count('stale'),
      (error: unknown) => this.#onFailure(toUnavailable(error)),
    );
  };

  readonly #onFailure = (error: unknown): never => {
    this.#totals.failed++;
    throw error;
  };

  #count(result: ClaimResult): ClaimResult {
    this.#totals[result]++;
    return result;
  }

  close(): void {
    this.channel.close();
    this.link.close();
  }

  /** Adopts the generation of the server, which changes if the server is another one than before. */
  async #join(link: RedisLink): Promise<void> {
    const [{ identity, isReplica, isSharded, evictionPolicy }, offset] = await Promise.all([
      link.info().then(parseServerInfo),
      link.clockOffset(),
    ]);
    if (isSharded) throw (this.#refusal = sharded());
    if (isReplica) throw new Error('the server is a read-only replica');
    const first = this.#hasJoined ? '0' : '1';
    const keys = [this.#prefix + GENERATION, `${this.#prefix}:permissions`];
    const args = [identity, randomGeneration(), ...this.#fingerprints, first, this.channel.name];
    const generation = await link.evaluate(JOIN, [...keys, ...args]);
    if (typeof generation !== 'string') throw new Error('the server sent no generation');
    if (generation === '') throw (this.#refusal = otherKey(this.#prefix));
    this.#refusal = undefined;
    this.#offset = offset;
    this.#reportPolicy(evictionPolicy);
    if (this.#hasJoined && generation !== this.#generation)
      this.#log.warn(
        {},
        'Redis was restarted, replaced or cleared, or its clock was set back: Digest nonces issued before are stale.',
      );
    this.#hasJoined = true;
    this.#generation = generation;
  }

  #reportPolicy(policy: string | undefined): void {
    if (policy === this.#evictionPolicy) return;
    this.#evictionPolicy = policy;
    if (policy === undefined || policy === 'noeviction') return;
    this.#log.warn({ policy }, evictionWarning(policy));
  }

  #assertAccepted(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    const { reason } = this.link;
    if (NO_PERMISSION.test(reason))
      throw new ConfigurationError(
        `platform-cluster.redis.url: the user lacks one of the permissions that the guide on scaling lists: ${reason}`,
      );
    if (/^(WRONGPASS|NOAUTH|ERR invalid password|ERR AUTH)/.test(reason))
      throw new ConfigurationError(
        `platform-cluster.redis.url: the server refuses the user or the password: ${reason}`,
      );
  }
}

const GENERATION = ':generation';
/** Of a command, of a command in a script since Redis 6.2, and since 7.2. */
const NO_PERMISSION = /^NOPERM|The user executing the script can't |ACL failure in script/;

function toUnavailable(error: unknown): DeploymentUnavailable {
  return new DeploymentUnavailable(`Redis cannot be reached: ${failureReason(error)}`);
}

function randomGeneration(): string {
  return randomBytes(16).toString('hex');
}

/** Of a key that is derived for nothing else. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** A warning about evicted keys. */
export function evictionWarning(policy: string): string {
  return `The maxmemory-policy of Redis is ${policy}: under memory pressure it removes used Digest counts, which could then be used again. Set it to noeviction.`;
}

function sharded(): ConfigurationError {
  return new ConfigurationError(
    'platform-cluster.redis.url: the server is a node of a Redis Cluster, which is not supported. Use a single server, with replicas if you need them.',
  );
}

function otherKey(prefix: string): ConfigurationError {
  return new ConfigurationError(
    `platform-cluster.deployment_key: the nodes that use the prefix "${prefix}" on this Redis have another key. Set the same key on all nodes; to replace it, set [new, old] on each node. Another deployment needs another platform-cluster.prefix.`,
  );
}
