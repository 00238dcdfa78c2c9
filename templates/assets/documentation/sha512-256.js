// SHA-512/256 (FIPS 180-4, 5.3.6 and 6.7) for Digest; browsers do not provide it. Words are BigInts of 64 bits.
import { PRIMES } from './primes.js';

const WORD = (1n << 64n) - 1n;

/** The first 64 bits of the fraction of a root. */
function fraction(prime, degree) {
  const target = BigInt(prime) << (64n * degree);
  let root = 0n;
  for (let bit = 1n << 70n; bit > 0n; bit >>= 1n) if ((root | bit) ** degree <= target) root |= bit;
  return root & WORD;
}

const ROUNDS = PRIMES.map((prime) => fraction(prime, 3n));

const turn = (word, by) => ((word >> by) | (word << (64n - by))) & WORD;

/** Returns the eight state words of a message. */
function digest(bytes, start) {
  const length = (((bytes.length + 16) >> 7) + 1) << 7;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(length - 8, BigInt(bytes.length) << 3n);
  let state = start;
  const words = new Array(80);
  for (let block = 0; block < length; block += 128) {
    for (let at = 0; at < 80; at++) {
      if (at < 16) {
        words[at] = view.getBigUint64(block + at * 8);
        continue;
      }
      const [early, late] = [words[at - 15], words[at - 2]];
      const first = turn(early, 1n) ^ turn(early, 8n) ^ (early >> 7n);
      const second = turn(late, 19n) ^ turn(late, 61n) ^ (late >> 6n);
      words[at] = (words[at - 16] + first + words[at - 7] + second) & WORD;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 80; at++) {
      const chosen = (e & f) ^ (~e & WORD & g);
      const one = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + chosen + ROUNDS[at] + words[at];
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const two = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + majority;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) & WORD, c, b, a, (one + two) & WORD];
    }
    state = [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) & WORD);
  }
  return state;
}

/** The initial state: the SHA-512 digest of the name, with a modified initial state. */
const START = digest(
  new TextEncoder().encode('SHA-512/256'),
  PRIMES.slice(0, 8).map((prime) => fraction(prime, 2n) ^ 0xa5a5a5a5a5a5a5a5n),
);

/** @param bytes Uint8Array @returns in hexadecimal */
export function sha512256(bytes) {
  const words = digest(bytes, START).slice(0, 4);
  return words.map((word) => word.toString(16).padStart(16, '0')).join('');
}
