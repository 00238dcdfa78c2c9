// SHA-256 (FIPS 180-4) for Digest; browsers provide it in secure contexts only.
import { PRIMES } from './primes.js';

const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.slice(0, 64).map((prime) => fraction(Math.cbrt(prime)));

const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param bytes Uint8Array @returns in hexadecimal */
export function sha256(bytes) {
  const length = (((bytes.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, (bytes.length << 3) >>> 0);
  let state = START;
  const words = new Int32Array(64);
  for (let block = 0; block < length; block += 64) {
    for (let at = 0; at < 64; at++) {
      if (at < 16) {
        words[at] = view.getInt32(block + at * 4);
        continue;
      }
      const [early, late] = [words[at - 15], words[at - 2]];
      const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16] + first + words[at - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at++) {
      const chosen = (e & f) ^ (~e & g);
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + chosen + ROUNDS[at] + words[at]) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    state = [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) | 0);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
