import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** A SHA-crypt setting: `$5$` or `$6$`, rounds, salt. */
export interface ShaCryptSetting {
  readonly algorithm: 'sha256' | 'sha512';
  readonly rounds: number;
  readonly salt: string;
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Rounds before yielding to the event loop: about half a millisecond. */
const CHUNK = 250;

/**
 * Computes SHA-crypt (U. Drepper, "Unix crypt using SHA-256 and SHA-512", version 0.6), yielding to the event loop.
 * Resolves to the encoded digest without setting and salt.
 */
export async function shaCrypt(password: string, setting: ShaCryptSetting): Promise<string> {
  const h = (...parts: readonly Buffer[]): Buffer => hash(setting.algorithm, Buffer.concat(parts), 'buffer');
  const key = Buffer.from(password, 'utf8');
  const salt = Buffer.from(setting.salt, 'latin1');
  let digest = firstDigest(h, key, salt);
  const p = stretch(h(repeat(key, key.length)), key.length);
  const s = stretch(h(repeat(salt, 16 + (digest[0] ?? 0))), salt.length);
  for (let round = 0; round < setting.rounds; round++) {
    const odd = round % 2 === 1;
    const parts = [odd ? p : digest];
    if (round % 3 !== 0) parts.push(s);
    if (round % 7 !== 0) parts.push(p);
    parts.push(odd ? digest : p);
    digest = h(...parts);
    if (round % CHUNK === CHUNK - 1) await setImmediate();
  }
  return encode(digest);
}

/** Steps 1 to 12 of the specification. */
function firstDigest(h: (...parts: readonly Buffer[]) => Buffer, key: Buffer, salt: Buffer): Buffer {
  const other = h(key, salt, key);
  const parts = [key, salt, stretch(other, key.length)];
  for (let bits = key.length; bits > 0; bits >>= 1) parts.push(bits % 2 === 1 ? other : key);
  return h(...parts);
}

function repeat(bytes: Buffer, times: number): Buffer {
  return Buffer.concat(Array.from({ length: times }, () => bytes));
}

/** Repeats a digest and cuts it to a length. */
function stretch(digest: Buffer, length: number): Buffer {
  return repeat(digest, Math.ceil(length / digest.length)).subarray(0, length);
}

/** Encodes three octets as four characters, low bits first; the order of octets rotates with each group. */
function encode(digest: Buffer): string {
  const third = Math.floor(digest.length / 3);
  const rotation = digest.length === 64 ? 1 : 2;
  let group: readonly number[] = [0, third, 2 * third];
  let text = '';
  for (let done = 0; done < third; done++) {
    text += toCharacters(
      group.map((index) => digest[index] ?? 0),
      4,
    );
    group = [0, 1, 2].map((index) => (group[(index + rotation) % 3] ?? 0) + 1);
  }
  const rest = [...digest.subarray(3 * third)].reverse();
  return text + toCharacters([...Array.from({ length: 3 - rest.length }, () => 0), ...rest], rest.length + 1);
}

function toCharacters(octets: readonly number[], count: number): string {
  let bits = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  let text = '';
  for (let done = 0; done < count; done++) {
    text += ALPHABET[bits % 64] ?? '';
    bits = Math.floor(bits / 64);
  }
  return text;
}
