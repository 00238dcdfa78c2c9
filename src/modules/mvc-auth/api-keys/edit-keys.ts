import { hash } from 'node:crypto';
import { PasswordEditError } from '../password-files/editing/password-edit-error';
import { createKey, DEFAULT_PREFIX, isKeyPrefix, keyIdOf } from './key-format';
import { KeyFileError, readEntries, readKeyTable } from './key-table';
import { faultOfOwner, isScope, type KeyRateLimit, type StoredKey } from './stored-key';

/** Characters after the underscore that identify a key: what all keys begin with is not a choice. */
const MIN_PREFIX = 3;

/** What a key is created with. */
export interface KeyRequest {
  readonly owner: string;
  readonly scopes?: readonly string[];
  readonly groups?: readonly string[];
  /** Undefined for a key that does not expire. */
  readonly expires?: Date | undefined;
  readonly rateLimit?: KeyRateLimit | undefined;
  /** Defaults to `apidesc`. */
  readonly prefix?: string;
}

/** A created key. */
export interface CreatedKey {
  /** Shown once, never stored. */
  readonly key: string;
  readonly stored: StoredKey;
}

/** Creates a key. @throws PasswordEditError for an invalid request */
export function newKey(request: KeyRequest, now = new Date()): CreatedKey {
  const { owner, scopes = [], groups = [], expires, rateLimit, prefix = DEFAULT_PREFIX } = request;
  const fault = faultOfOwner(owner);
  if (fault !== undefined) throw new PasswordEditError(`The owner ${fault}.`);
  const scope = scopes.find((one) => !isScope(one));
  if (scope !== undefined)
    throw new PasswordEditError(
      `The scope ${JSON.stringify(scope)} is empty, or contains white space, quotes, backslashes or characters that are not ASCII.`,
    );
  const group = groups.find((one) => one === '' || /\p{Cc}/u.test(one));
  if (group !== undefined)
    throw new PasswordEditError(
      `The group ${JSON.stringify(group)} is empty or contains control characters.`,
    );
  if (!isKeyPrefix(prefix))
    throw new PasswordEditError(
      `The prefix ${JSON.stringify(prefix)} is invalid: write 2 to 16 lower-case letters and digits, the first a letter.`,
    );
  if (expires !== undefined && expires <= now)
    throw new PasswordEditError('The key would have expired already.');
  const prefixed = [
    ...groups.filter((one) => one.startsWith('@')),
    ...scopes.filter((one) => one.startsWith('scope:')),
  ][0];
  if (prefixed !== undefined)
    throw new PasswordEditError(
      `Write ${JSON.stringify(prefixed)} as ${JSON.stringify(prefixed.replace(/^(?:@|scope:)/, ''))}: the prefix belongs to rules only.`,
    );
  const { key, id } = createKey(prefix);
  return {
    key,
    stored: {
      id,
      sha256: hash('sha256', key),
      owner,
      scopes: [...new Set(scopes)],
      groups: [...new Set(groups)],
      created: timeOf(now),
      ...(expires === undefined ? {} : { expires: timeOf(expires) }),
      ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
    },
  };
}

/**
 * Adds a key to the content of a key file.
 * @param bytes undefined for a new file
 * @throws PasswordEditError for a file that is not a key file, and for an identification that exists
 */
export function addKey(file: string, bytes: Buffer | undefined, stored: StoredKey): Buffer {
  const entries = bytes === undefined || bytes.length === 0 ? [] : entriesOf(file, bytes);
  // A JWK Set has a list "keys", too.
  if (entries.some((entry) => typeof entry === 'object' && entry !== null && 'kty' in entry))
    throw new PasswordEditError(`${file} is a JWK Set, the public keys of an issuer. Name another file.`);
  if (listKeys(file, bytes).some(({ id }) => id === stored.id))
    throw new PasswordEditError(`${file} contains a key "${stored.id}" already. Create it again.`);
  return formatKeys([...entries, stored]);
}

/** The keys of a key file, in its order. @throws PasswordEditError for a file that is not a key file */
export function listKeys(file: string, bytes: Buffer | undefined): readonly StoredKey[] {
  if (bytes === undefined || bytes.length === 0) return [];
  entriesOf(file, bytes);
  return [...readKeyTable(bytes.toString('utf8')).keys.values()];
}

/**
 * Finds the key that a text identifies: the beginning of its identification, or the key itself.
 * @throws PasswordEditError for none, or several
 */
export function findKey(file: string, keys: readonly StoredKey[], text: string): StoredKey {
  const wanted = keyIdOf(text) ?? text;
  const exact = keys.find(({ id }) => id === wanted);
  if (exact !== undefined) return exact;
  const found = wanted === '' ? [] : keys.filter(({ id }) => id.startsWith(wanted));
  if (found.length > 0 && afterUnderscore(wanted).length < MIN_PREFIX)
    throw new PasswordEditError(
      `"${wanted}" is the beginning of ${found.length} of the keys in ${file}, and too short. Write at least ${MIN_PREFIX} characters after the underscore.`,
    );
  const [only, ...others] = found;
  // Never repeats the text, which may be a whole key.
  if (only === undefined)
    throw new PasswordEditError(
      `${file} contains no key that begins like this. List the keys with: apidesc-platform key list ${file}`,
    );
  if (others.length > 0)
    throw new PasswordEditError(
      `${found.length} keys of ${file} begin with "${wanted}": ${listed(found)}. Write more of the one to revoke.`,
    );
  return only;
}

/** Removes a key from the content of a key file. @throws PasswordEditError for a file that is not a key file */
export function removeKey(file: string, bytes: Buffer, id: string): Buffer {
  const isKey = (entry: unknown): boolean =>
    typeof entry === 'object' && entry !== null && 'id' in entry && entry.id === id;
  return formatKeys(entriesOf(file, bytes).filter((entry) => !isKey(entry)));
}

/** One key per line, so that changes are readable. */
function formatKeys(entries: readonly unknown[]): Buffer {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  return Buffer.from(entries.length === 0 ? '{\n  "keys": []\n}\n' : `{\n  "keys": [\n${lines}\n  ]\n}\n`);
}

/** Invalid entries included, which an edit keeps. */
function entriesOf(file: string, bytes: Buffer): readonly unknown[] {
  try {
    return readEntries(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    throw new PasswordEditError(`${file} ${error.message}. Repair it, or name another file.`, {
      cause: error,
    });
  }
}

function afterUnderscore(text: string): string {
  return text.includes('_') ? text.slice(text.indexOf('_') + 1) : '';
}

function listed(keys: readonly StoredKey[]): string {
  const names = keys.slice(0, 5).map(({ id, owner }) => `${id} (${owner})`);
  return names.join(', ') + (keys.length > 5 ? ', …' : '');
}

/** RFC 3339 in UTC, to the second. */
export function timeOf(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
