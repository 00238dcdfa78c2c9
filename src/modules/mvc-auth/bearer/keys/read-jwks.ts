import type { JSONWebKeySet, JWK } from 'jose';
import { isObject } from '../../../../framework';

/** More keys are refused. */
const MAX_KEYS = 100;

/** The minimum length of RSA keys (RFC 7518, 3.3), as the length of the modulus in base64url. */
const MIN_MODULUS_LENGTH = Math.ceil(256 / 3) * 4 - 2;

/**
 * Reads a JWK Set (RFC 7517, 5): its public keys of the given types. Others are ignored, since issuers may add types and
 * uses (5).
 * @param types `kty`, e.g. `RSA`
 * @throws Error with a reason
 */
export function readJwks(value: unknown, types: readonly string[]): JSONWebKeySet {
  const keys = isObject(value) ? value.keys : undefined;
  if (!Array.isArray(keys))
    throw new Error('it is not a JWK Set: an object with the array "keys" is expected');
  if (keys.length > MAX_KEYS) throw new Error(`it has ${keys.length} keys; at most ${MAX_KEYS} are allowed`);
  const list: readonly unknown[] = keys;
  const isPrivate = list.findIndex((key) => isObject(key) && Object.hasOwn(key, 'd'));
  if (isPrivate >= 0)
    throw new Error(
      `key ${isPrivate + 1} is a private key: only the issuer may have it. Publish its public part only`,
    );
  const usable = list.filter((key): key is JWK => isUsable(key, types));
  if (usable.length === 0)
    throw new Error(
      `it has no usable key: one of the type ${types.join(' or ')} is expected, RSA keys with at least 2048 bits`,
    );
  return { keys: usable };
}

/** @throws Error for text that is not JSON */
export function parseJwks(text: string, types: readonly string[]): JSONWebKeySet {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the parser has a part of the file, which may be any other.
    throw new Error('it is not JSON');
  }
  return readJwks(value, types);
}

function isUsable(key: unknown, types: readonly string[]): boolean {
  if (!isObject(key) || typeof key.kty !== 'string' || !types.includes(key.kty)) return false;
  if (key.use !== undefined && key.use !== 'sig') return false;
  return key.kty !== 'RSA' || (typeof key.n === 'string' && key.n.length >= MIN_MODULUS_LENGTH);
}
