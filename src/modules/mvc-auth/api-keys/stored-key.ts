import { isObject } from '../../../framework';

/** Requests that a key may make. */
export interface KeyRateLimit {
  /** The number of requests in each window. */
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
}

/** A key as its file stores it. */
export interface StoredKey {
  /** The beginning of the key, which identifies it: `apidesc_4fG9xK2a`. */
  readonly id: string;
  /** The SHA-256 hash of the key, in lower-case hexadecimal. */
  readonly sha256: string;
  /** Who uses the key: the name of the identity. */
  readonly owner: string;
  readonly scopes: readonly string[];
  readonly groups: readonly string[];
  /** RFC 3339, in UTC. */
  readonly created: string;
  /** RFC 3339; undefined for a key that does not expire. */
  readonly expires?: string;
  readonly rate_limit?: KeyRateLimit;
}

/** Most owners, recognized at a fraction of the cost: a file may contain many keys. */
const PLAIN_OWNER = /^[\x21-\x7e](?:[\x20-\x7e]{0,200}[\x21-\x7e])?$/;
const MEMBERS = ['id', 'sha256', 'owner', 'scopes', 'groups', 'created', 'expires', 'rate_limit'];
const MAX_OWNER = 255;
/** As the command and the admin accept them: Redis has no time that is much later. */
const MAX_LIMIT = 999_999_999;
const MAX_WINDOW = 9_999_999;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
/** RFC 6749, 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Parses an entry of a key file. @returns a text that says what is wrong with it otherwise */
export function parseStoredKey(value: unknown): StoredKey | string {
  if (!isObject(value)) return 'is not an object';
  const { id, sha256, owner, scopes = [], groups = [], created, expires, rate_limit: limit } = value;
  // An unknown member may be a misspelt restriction.
  const unknown = Object.keys(value).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) return `has the unknown member "${unknown}"; allowed: ${MEMBERS.join(', ')}`;
  if (typeof id !== 'string' || !/^[a-z0-9]+_[0-9A-Za-z]+$/.test(id)) return 'has no valid "id"';
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    return 'has no valid "sha256", 64 hexadecimal digits in lower case';
  const ownerFault = typeof owner === 'string' ? faultOfOwner(owner) : 'is not a text';
  if (typeof owner !== 'string' || ownerFault !== undefined)
    return `has an "owner" that ${String(ownerFault)}`;
  if (!isTexts(scopes) || !scopes.every(isScope))
    return 'has "scopes" that are not a list of texts without white space, quotes and backslashes';
  if (!isTexts(groups)) return 'has "groups" that are not a list of texts';
  if (typeof created !== 'string' || !TIME.test(created))
    return 'has no valid "created", such as 2026-01-31T12:00:00Z';
  if (expires !== undefined && !isTime(expires))
    return 'has an invalid "expires"; write 2026-01-31T12:00:00Z';
  if (limit !== undefined && !isRateLimit(limit))
    return `has an invalid "rate_limit"; write { "limit": 100, "window": 60 } with a limit of at most ${MAX_LIMIT}, and a window of at most ${MAX_WINDOW} seconds`;
  return {
    id,
    sha256,
    owner,
    scopes,
    groups,
    created,
    ...(expires === undefined ? {} : { expires }),
    ...(limit === undefined ? {} : { rate_limit: { limit: limit.limit, window: limit.window } }),
  };
}

/** Whether a text is a scope (RFC 6749, 3.3). */
export function isScope(text: string): boolean {
  return SCOPE.test(text);
}

/** Why a text cannot be an owner; undefined for one that can. */
export function faultOfOwner(owner: string): string | undefined {
  if (PLAIN_OWNER.test(owner)) return undefined;
  if (owner === '') return 'is empty';
  if (/[\p{Cc}\uFFFD]/u.test(owner)) return 'contains control characters or is not UTF-8';
  if (owner !== owner.trim()) return 'has leading or trailing white space';
  if (Buffer.byteLength(owner) > MAX_OWNER) return `is longer than ${MAX_OWNER} bytes`;
  return undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

function isRateLimit(value: unknown): value is KeyRateLimit {
  return isObject(value) && isCount(value.limit, MAX_LIMIT) && isCount(value.window, MAX_WINDOW);
}

function isCount(value: unknown, maximum: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= maximum;
}
