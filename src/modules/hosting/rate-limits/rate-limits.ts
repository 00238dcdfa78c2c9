import { closestMatch, ConfigurationError, type KeyPath } from '../../../framework';
import { ClientUsage } from './client-usage';
import { policyField, sfString, type QuotaPolicy } from './ratelimit-fields';
import type { RateLimit, RateLimitScope, RateLimitSettings } from './rate-limit-settings';

/** An operation, as its rate limits are looked up. */
export interface LimitedOperation {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  readonly part: 'collection' | 'entity' | 'rpc';
  readonly method: string;
}

/** A limit of an operation. */
export interface AppliedLimit extends QuotaPolicy {
  readonly per: RateLimitScope;
  /** How much a request of the operation counts; at least 1. */
  readonly weight: number;
  readonly usage: ClientUsage;
  /** The name as a String of structured fields. */
  readonly quotedName: string;
}

/** The rate limits of an operation; frozen. */
export interface OperationLimits {
  /** Counted before authentication. */
  readonly perAddress: readonly AppliedLimit[];
  /** Counted after authentication. */
  readonly perUser: readonly AppliedLimit[];
  /** Counted after authentication, for all clients together. */
  readonly shared: readonly AppliedLimit[];
  /** The value of `RateLimit-Policy`. */
  readonly policyField: string;
}

/** What a client has used of a limit. */
export interface UsedLimit {
  readonly name: string;
  /** In seconds. */
  readonly window: number;
  readonly client: string;
  readonly weight: number;
}

/** The usage of all limits, and how often each refused a request. Survives configuration reloads. */
export class RateLimitState {
  /** Called with what is counted here, for other processes to {@link merge}. */
  onUse: ((used: UsedLimit) => void) | undefined;
  readonly #usage = new Map<string, ClientUsage>();
  readonly #refusals = new Map<string, number>();

  /** Each limit has a name of its own, of which the window is a part. */
  usageOf(name: string, window: number): ClientUsage {
    const known = this.#usage.get(name);
    if (known !== undefined) return known;
    const created = new ClientUsage(window, {
      onAdd: (client, weight) => this.onUse?.({ name, window, client, weight }),
    });
    this.#usage.set(name, created);
    return created;
  }

  /** Adds what another process has counted. */
  merge({ name, window, client, weight }: UsedLimit): void {
    this.usageOf(name, window).merge(client, weight);
  }

  /** By the name of the limit. */
  get usage(): ReadonlyMap<string, ClientUsage> {
    return this.#usage;
  }

  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  countRefusal(name: string): void {
    this.#refusals.set(name, (this.#refusals.get(name) ?? 0) + 1);
  }
}

/** The configured rate limits. */
export class RateLimits {
  readonly #settings: RateLimitSettings;
  readonly #state: RateLimitState;
  readonly #where: (...path: KeyPath) => string;

  /**
   * @param where locates an entry, for messages
   * @throws ConfigurationError for limits that no request could meet, and for ambiguous ones
   */
  constructor(settings: RateLimitSettings, state: RateLimitState, where: (...path: KeyPath) => string) {
    this.#settings = settings;
    this.#state = state;
    this.#where = where;
    for (const [key, limits] of Object.entries(settings)) this.#assertLimits(key, limits);
  }

  get isEmpty(): boolean {
    return Object.values(this.#settings).every((limits) => limits.length === 0);
  }

  /** The limits of an operation, from all entries that match it; undefined for none. */
  of(operation: LimitedOperation): OperationLimits | undefined {
    const applied = keysOf(operation)
      .flatMap((key) => (this.#settings[key] ?? []).map((limit) => this.#applied(key, limit, operation)))
      .filter(({ weight }) => weight > 0);
    if (applied.length === 0) return undefined;
    const per = (scope: RateLimitScope): readonly AppliedLimit[] =>
      Object.freeze(applied.filter((limit) => limit.per === scope));
    return Object.freeze({
      perAddress: per('address'),
      perUser: per('user'),
      shared: per('all'),
      policyField: policyField(applied),
    });
  }

  /** @throws ConfigurationError for an entry that names nothing hosted */
  assertKnown(operations: readonly LimitedOperation[]): void {
    const known = new Set(operations.flatMap((operation) => keysOf(operation)));
    for (const key of Object.keys(this.#settings)) {
      if (key === '*' || known.has(key)) continue;
      const guess = closestMatch(key, [...known]);
      const apis = [...new Set(operations.map(({ api }) => api))].join(', ') || 'none';
      throw new ConfigurationError(
        `${this.#where(key)}: API, version, service or operation "${key}" does not exist.${guess === undefined ? '' : ` Did you mean "${guess}"?`} APIs: ${apis}. Write an operation as "Api/Service collection GET", "Api/Service entity GET", or for RPC "Api/Service GET".`,
      );
    }
  }

  #applied(
    key: string,
    { per, limit, window, weights }: RateLimit,
    { method }: LimitedOperation,
  ): AppliedLimit {
    const name = nameOf(key, per, window);
    const usage = this.#state.usageOf(name, window);
    const weight = weights?.[method] ?? 1;
    return Object.freeze({ name, quotedName: sfString(name), per, limit, window, weight, usage });
  }

  #assertLimits(key: string, limits: readonly RateLimit[]): void {
    const names = new Set<string>();
    for (const [at, { per, limit, window, weights = {} }] of limits.entries()) {
      const where = this.#where(key, at);
      const name = nameOf(key, per, window);
      if (names.has(name)) {
        throw new ConfigurationError(
          `${where}: there is another limit per ${per} within ${window} seconds. Remove one of them.`,
        );
      }
      names.add(name);
      for (const [method, weight] of Object.entries(weights)) {
        if (weight <= limit) continue;
        throw new ConfigurationError(
          `${where}: a ${method} counts ${weight}, more than the limit of ${limit}: none would ever be allowed. Lower the weight or raise the limit.`,
        );
      }
    }
  }
}

/** @returns the keys of the entries that apply to an operation, from the most general one */
function keysOf({ api, version, service, part, method }: LimitedOperation): readonly string[] {
  const operation = part === 'rpc' ? method : `${part} ${method}`;
  return [
    '*',
    api,
    `${api}-v${version}`,
    `${api}/${service}`,
    `${api}-v${version}/${service}`,
    `${api}/${service} ${operation}`,
    `${api}-v${version}/${service} ${operation}`,
  ];
}

function nameOf(key: string, per: RateLimitScope, window: number): string {
  return `${key}:${per}:${window}`;
}
