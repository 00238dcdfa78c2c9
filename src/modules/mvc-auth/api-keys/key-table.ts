import { isObject } from '../../../framework';
import { parseStoredKey, type StoredKey } from './stored-key';

/** A key in memory. */
export interface ApiKey extends StoredKey {
  /** Milliseconds since the epoch; Infinity for a key that does not expire. */
  readonly expiresAt: number;
}

/** The keys of a key file. */
export interface KeyTable {
  /** By the SHA-256 hash of the key. */
  readonly keys: ReadonlyMap<string, ApiKey>;
  /** Entries that are ignored: what is wrong with them. They never contain a hash. */
  readonly issues: readonly string[];
}

/** A text that is not a key file. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/**
 * Parses a key file, `{ "keys": [ … ] }`. Reports invalid entries as issues: the other keys stay valid.
 * @throws KeyFileError for another text
 */
export function readKeyTable(text: string): KeyTable {
  const keys = new Map<string, ApiKey>();
  const ids = new Set<string>();
  const issues: string[] = [];
  for (const [at, value] of readEntries(text).entries()) {
    const key = parseStoredKey(value);
    if (typeof key === 'string') issues.push(`keys[${at}] ${key}; it is ignored`);
    else if (ids.has(key.id) || keys.has(key.sha256))
      issues.push(`keys[${at}] repeats the key "${key.id}"; it is ignored`);
    else {
      ids.add(key.id);
      keys.set(key.sha256, toApiKey(key));
    }
  }
  return { keys, issues };
}

function toApiKey(key: StoredKey): ApiKey {
  return { ...key, expiresAt: key.expires === undefined ? Infinity : Date.parse(key.expires) };
}

/** The entries of a key file, valid or not. @throws KeyFileError for another text */
export function readEntries(text: string): readonly unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new KeyFileError(`is not JSON (${reasonOf(error)})`, { cause: error });
  }
  if (!isObject(value) || !Array.isArray(value.keys) || Object.keys(value).length > 1)
    throw new KeyFileError('is not a key file, { "keys": [ … ] }');
  return value.keys;
}

/** Parsers quote the text, which contains hashes. */
function reasonOf(error: unknown): string {
  const position =
    error instanceof Error ? /position \d+(?: \(line \d+ column \d+\))?/.exec(error.message) : null;
  return position === null ? 'a syntax error' : `an error at ${position[0]}`;
}
