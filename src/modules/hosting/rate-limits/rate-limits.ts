import { METHODS } from 'node:http';
import { didYouMean, ConfigurationError, type KeyPath } from '../../../framework';
import type { ClientUsage, RateLimitState } from '../../mvc-auth';
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
  /** Whether the counts of the deployment decide each request. */
  readonly isExact: boolean;
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
  /** Whether any of them is exact. */
  readonly hasExact: boolean;
  /** The value of `RateLimit-Policy`. */
  readonly policyField: string;
}

/** The configured rate limits. */
export class RateLimits {
  readonly isEmpty: boolean;
  readonly #settings: RateLimitSettings;
  readonly #state: RateLimitState;
  readonly #where: (...path: KeyPath) => string;

  /**
   * @param where locates an entry, for messages
   * @throws ConfigurationError for limits that no request could meet, and for ambiguous ones
   */
  constructor(settings: RateLimitSettings, state: RateLimitState, where: (...path: KeyPath) => string) {
    this.isEmpty = Object.values(settings).every((limits) => limits.length === 0);
    this.#settings = settings;
    this.#state = state;
    this.#where = where;
    for (const [key, limits] of Object.entries(settings)) this.#assertLimits(key, limits);
  }

  /** The key path of the first exact limit; undefined without one. */
  get firstExact(): KeyPath | undefined {
    for (const [key, limits] of Object.entries(this.#settings)) {
      const at = limits.findIndex(({ exact }) => exact === true);
      if (at >= 0) return [key, at];
    }
    return undefined;
  }

  /** The limits of an operation, from all entries that match it; undefined for none. */
  of(operation: LimitedOperation): OperationLimits | undefined {
    if (this.isEmpty) return undefined;
    const applied = this.#keysOf(operation)
      .flatMap((key) => (this.#settings[key] ?? []).map((limit) => this.#applied(key, limit, operation)))
      .filter(({ weight }) => weight > 0);
    if (applied.length === 0) return undefined;
    const per = (scope: RateLimitScope): readonly AppliedLimit[] =>
      Object.freeze(applied.filter((limit) => limit.per === scope));
    return Object.freeze({
      perAddress: per('address'),
      perUser: per('user'),
      shared: per('all'),
      hasExact: applied.some(({ isExact }) => isExact),
      policyField: policyField(applied),
    });
  }

  /** @throws ConfigurationError for an entry that names nothing hosted */
  assertKnown(operations: readonly LimitedOperation[]): void {
    const keys = Object.keys(this.#settings).filter((key) => key !== '*');
    if (keys.length === 0) return;
    const known = new Set(operations.flatMap((operation) => rateLimitKeys(operation)));
    for (const key of keys) {
      if (known.has(key)) continue;
      const apis = [...new Set(operations.map(({ api }) => api))].join(', ') || 'none';
      throw new ConfigurationError(
        `${this.#where(key)}: API, version, service or operation "${key}" does not exist.${didYouMean(key, [...known])} APIs: ${apis}. Write an operation as "Api/Service collection GET", "Api/Service entity GET", or for RPC "Api/Service GET".`,
      );
    }
  }

  /** Returns warnings about weights of methods that are not counted. @param operations returns all that are hosted */
  weightWarnings(operations: () => readonly LimitedOperation[]): readonly string[] {
    return Object.entries(this.#settings).flatMap(([key, limits]) =>
      limits.flatMap(({ weights = {} }, at) =>
        Object.keys(weights).flatMap((method) => {
          const isCounted = (one: LimitedOperation): boolean =>
            one.method === method && rateLimitKeys(one).includes(key);
          const reason = operations().some(isCounted) ? undefined : uncountedReason(method);
          return reason === undefined
            ? []
            : [`${this.#where(key, at, 'weights', method)} has no effect: ${reason}`];
        }),
      ),
    );
  }

  /** The entries of an operation. A QUERY reads what a GET does, and has the entries of the GET unless it has its own. */
  #keysOf(operation: LimitedOperation): readonly string[] {
    const keysOf = (one: LimitedOperation): readonly string[] =>
      // An API may have the name of a member that every object inherits.
      rateLimitKeys(one).filter((key) => Object.hasOwn(this.#settings, key));
    const keys = keysOf(operation);
    return isListQuery(operation) && !keys.some((key) => key.endsWith(LIST_QUERY))
      ? keysOf({ ...operation, method: 'GET' })
      : keys;
  }

  #applied(
    key: string,
    { per, limit, window, weights, exact: isExact = false }: RateLimit,
    operation: LimitedOperation,
  ): AppliedLimit {
    const name = nameOf(key, per, window);
    const usage = this.#state.usageOf(name, window);
    const weight = weights?.[operation.method] ?? (isListQuery(operation) ? weights?.GET : undefined) ?? 1;
    return Object.freeze({ name, quotedName: sfString(name), per, limit, window, weight, usage, isExact });
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

/** Why a method is not counted if no operation declares it; undefined for one that operations may have at any time. */
function uncountedReason(method: string): string | undefined {
  if (method === 'HEAD') return 'a HEAD counts as much as the GET.';
  if (method === 'OPTIONS') return 'OPTIONS is not limited.';
  return METHODS.includes(method) ? undefined : `it is not a method of HTTP.${didYouMean(method, METHODS)}`;
}

const LIST_QUERY = ' collection QUERY';

function isListQuery({ part, method }: LimitedOperation): boolean {
  return part === 'collection' && method === 'QUERY';
}

/** Returns the keys of the entries that apply to an operation, from the most general one. */
export function rateLimitKeys({ api, version, service, part, method }: LimitedOperation): readonly string[] {
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
