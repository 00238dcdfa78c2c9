import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A new key, and the part of it that is stored to identify it. */
export interface NewKey {
  /** Shown once, never stored. */
  readonly key: string;
  readonly id: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of base 62: those that identify a key, those that are secret (178 bits), and the checksum. */
const ID_LENGTH = 8;
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;

/** Octets from here on would make some characters more likely than others. */
const UNBIASED = 256 - (256 % ALPHABET.length);

const PREFIX = /^[a-z][a-z0-9]{1,15}$/;
const KEY = /^[a-z][a-z0-9]{1,15}_[0-9A-Za-z]{44}$/;

/** Characters of the longest key: no other text is hashed. */
export const MAX_KEY_LENGTH = 16 + 1 + ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/** The prefix of keys, unless another one is chosen. */
export const DEFAULT_PREFIX = 'apidesc';

/** Whether keys may begin with a prefix: 2 to 16 lower-case letters and digits, the first a letter. */
export function isKeyPrefix(prefix: string): boolean {
  return PREFIX.test(prefix);
}

/**
 * Creates a key: `prefix_`, 8 characters that identify it, 30 random characters, and a checksum over all of that. The
 * prefix lets secret scanners find keys, and the checksum lets them and commands tell a key from other texts.
 */
export function createKey(prefix = DEFAULT_PREFIX): NewKey {
  const id = `${prefix}_${randomText(ID_LENGTH)}`;
  const body = id + randomText(SECRET_LENGTH);
  return { key: body + checksumOf(body), id };
}

/** The identification of a key; undefined for a text that is not a key, or was mistyped. */
export function keyIdOf(text: string): string | undefined {
  if (!KEY.test(text)) return undefined;
  const end = text.length - CHECKSUM_LENGTH;
  if (checksumOf(text.slice(0, end)) !== text.slice(end)) return undefined;
  return text.slice(0, end - SECRET_LENGTH);
}

/** CRC-32 in base 62, as in the tokens of GitHub and npm. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let at = 0; at < CHECKSUM_LENGTH; at++) {
    digits = (ALPHABET[rest % ALPHABET.length] ?? '') + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    for (const octet of randomBytes(length))
      if (octet < UNBIASED && text.length < length) text += ALPHABET[octet % ALPHABET.length] ?? '';
  return text;
}
