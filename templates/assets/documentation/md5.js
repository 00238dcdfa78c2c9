// MD5 (RFC 1321) for Digest; browsers do not provide it.

const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, at) => Math.floor(2 ** 32 * Math.abs(Math.sin(at + 1))) | 0);

/** @param bytes Uint8Array @returns in hexadecimal */
export function md5(bytes) {
  const length = (((bytes.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, (bytes.length << 3) >>> 0, true);
  view.setUint32(length - 4, Math.floor(bytes.length / 2 ** 29), true);
  let state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476].map((word) => word | 0);
  for (let block = 0; block < length; block += 64) {
    let [a, b, c, d] = state;
    for (let at = 0; at < 64; at++) {
      const round = at >> 4;
      const [mixed, word] = [
        [(b & c) | (~b & d), at],
        [(d & b) | (~d & c), (5 * at + 1) % 16],
        [b ^ c ^ d, (3 * at + 5) % 16],
        [c ^ (b | ~d), (7 * at) % 16],
      ][round];
      const sum = (a + mixed + SINES[at] + view.getInt32(block + word * 4, true)) | 0;
      const shift = SHIFTS[round * 4 + (at % 4)];
      [a, d, c, b] = [d, c, b, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0];
    }
    state = [a, b, c, d].map((word, at) => (word + state[at]) | 0);
  }
  const out = new DataView(new ArrayBuffer(16));
  state.forEach((word, at) => out.setInt32(at * 4, word, true));
  return [...new Uint8Array(out.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
