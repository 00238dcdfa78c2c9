import { hash } from 'node:crypto';
import path from 'node:path';
import { problem, type SharedDocuments } from '../../../framework';
import type { AuthenticationAdapter, KnownUser } from '../adapters/adapter';
import { AuthConfigurationError, withAdapterName } from '../http-adapter/auth-configuration-error';
import {
  REFUSED,
  type AuthenticationFields,
  type AuthenticationRequest,
  type AuthenticationResult,
} from '../http/authentication';
import type { CredentialLocation } from '../http/credential-location';
import { quoted } from '../http/field-text';
import type { ApiKeyOptions } from './api-key-settings';
import { MAX_KEY_LENGTH } from './key-format';
import { describeKeyLimit, KeyRateLimits } from './key-rate-limits';
import { KeyUsage } from './key-usage';
import type { ApiKey } from './key-table';
import { openKeys, type OpenKeys } from './open-keys';
import { RateLimitState } from '../throttling/usage/rate-limit-state';

export interface ApiKeyAdapterContext {
  /** The project root, to which the path of the key file is relative. */
  readonly root: string;
  readonly warn: (message: string) => void;
  /** Counts the requests of keys with a rate limit; defaults to counts of its own. */
  readonly limits?: RateLimitState;
  /** Where other nodes find the last uses of keys; undefined without them. */
  readonly shared?: () => SharedDocuments | undefined;
  /** Milliseconds since the epoch; defaults to the system's clock. */
  readonly clock?: () => number;
}

const DEFAULT_HEADER = 'X-API-Key';
export const DEFAULT_KEY_REALM = 'API';

/** Fields with a meaning of their own. */
const RESERVED = ['authorization', 'proxy-authorization', 'cookie', 'host', 'content-type', 'content-length'];

const NO_FIELDS: AuthenticationFields = [];

const UNKNOWN_KEY: AuthenticationResult = Object.freeze({
  outcome: 'refused',
  stale: false,
  reason: 'The key is not in the key file: it was removed, or is that of another service.',
});

/**
 * Opens the adapter `ApiKeyAdapter`: keys in a header field or, if it is enabled, in a query parameter. The key file is
 * watched until `dispose()`.
 *
 * @throws AuthConfigurationError for a reserved header field and an unusable file
 */
export async function openApiKeyAdapter(
  name: string,
  options: ApiKeyOptions,
  {
    root,
    warn,
    limits = new RateLimitState(),
    shared = () => undefined,
    clock = Date.now,
  }: ApiKeyAdapterContext,
): Promise<AuthenticationAdapter> {
  const { header = DEFAULT_HEADER, query, keys: file, realm = DEFAULT_KEY_REALM } = options;
  if (RESERVED.includes(header.toLowerCase())) {
    throw new AuthConfigurationError(
      name,
      `header is ${JSON.stringify(header)}, which has a meaning of its own; choose another field, such as "${DEFAULT_HEADER}"`,
    );
  }
  const ids = (): ReadonlySet<string> => new Set([...keys.current.keys.values()].map(({ id }) => id));
  const keys: OpenKeys = await openKeys(name, file, {
    root,
    warn,
  });
  const usage = new KeyUsage({
    keyFile: path.resolve(root, file),
    known: ids,
    shared,
    warn: (message) => warn(withAdapterName(name, message)),
  });
  const inQuery =
    query === undefined
      ? []
      : [
          withAdapterName(
            name,
            `query accepts keys in the parameter "${query}": addresses end up in logs, histories and Referer fields; prefer the header field`,
          ),
        ];
  return new ApiKeyAdapter(name, {
    locations: [
      { in: 'header', name: header },
      ...(query === undefined ? [] : [{ in: 'query', name: query } as const]),
    ],
    challenge: `ApiKey realm=${quoted(realm)}`,
    warnings: [...inQuery, ...keys.warnings],
    keys,
    usage,
    limits: new KeyRateLimits(limits),
    clock,
  });
}

interface Parts {
  readonly locations: readonly CredentialLocation[];
  readonly challenge: string;
  readonly warnings: readonly string[];
  readonly keys: OpenKeys;
  readonly usage: KeyUsage;
  readonly limits: KeyRateLimits;
  readonly clock: () => number;
}

class ApiKeyAdapter implements AuthenticationAdapter {
  readonly name: string;
  readonly schemes: readonly string[] = [];
  readonly credentials: readonly CredentialLocation[];
  readonly warnings: readonly string[];
  readonly #parts: Parts;
  readonly #challenges: readonly string[];

  constructor(name: string, parts: Parts) {
    this.name = name;
    this.credentials = parts.locations;
    this.warnings = parts.warnings;
    this.#parts = parts;
    this.#challenges = [parts.challenge];
  }

  takes(): boolean {
    return false;
  }

  /** @throws Problem 429 for a key that has used up its rate limit */
  authenticate({ credential }: AuthenticationRequest): AuthenticationResult | Promise<AuthenticationResult> {
    const { keys } = this.#parts;
    if (credential === undefined) return REFUSED;
    if (credential.value.length > MAX_KEY_LENGTH) return UNKNOWN_KEY;
    // Keys are random: looking their hashes up in a map reveals nothing about others.
    const hashed = hash('sha256', credential.value);
    const key = keys.current.keys.get(hashed);
    if (key !== undefined) return this.#resultOf(key);
    return (
      keys.recheck()?.then(() => {
        const created = keys.current.keys.get(hashed);
        return created === undefined ? UNKNOWN_KEY : this.#resultOf(created);
      }) ?? UNKNOWN_KEY
    );
  }

  /** @throws Problem 429 for a key that has used up its rate limit */
  #resultOf(key: ApiKey): AuthenticationResult {
    const { usage, limits, clock } = this.#parts;
    const now = clock();
    // Known to its owner: not a guess.
    if (key.expiresAt <= now)
      return { outcome: 'refused', stale: true, reason: `The key "${key.id}" has expired.` };
    const seconds = limits.take(key);
    if (seconds > 0)
      throw problem(
        'rate_limited',
        { limit: describeKeyLimit(key.rate_limit), seconds },
        { fields: [['Retry-After', String(seconds)]] },
      );
    usage.used(key.id, now);
    const { owner: username, groups, scopes } = key;
    return { outcome: 'authenticated', username, groups, scopes, fields: NO_FIELDS };
  }

  /** @param name of a key (its beginning), or its owner, if the owner has a single key */
  lookUp(name: string): KnownUser | undefined {
    const { keys, clock } = this.#parts;
    const valid = [...keys.current.keys.values()].filter((key) => key.expiresAt > clock());
    const ofOwner = valid.filter(({ owner }) => owner === name);
    const key = valid.find(({ id }) => id === name) ?? (ofOwner.length === 1 ? ofOwner[0] : undefined);
    return key && { username: key.owner, groups: key.groups, scopes: key.scopes };
  }

  /** The admin has changed the key file. */
  refresh(): Promise<void> {
    return this.#parts.keys.refresh();
  }

  /** Writes the uses that were recorded since the last write, for the list of keys. */
  flushUses(): Promise<void> {
    return this.#parts.usage.flush();
  }

  challenges(): readonly string[] {
    return this.#challenges;
  }

  async dispose(): Promise<void> {
    this.#parts.keys.close();
    await this.#parts.usage.close();
  }
}

/** Writes the uses of keys that an adapter has recorded, so that the file has them. Others record none. */
export async function flushKeyUses(adapter: AuthenticationAdapter): Promise<void> {
  if (adapter instanceof ApiKeyAdapter) await adapter.flushUses();
}
