/** The tables of DES (FIPS 46-3), with bits numbered from 1 as there. */
const INITIAL = Array.from({ length: 64 }, (_, at) => 58 + 2 * ((at >> 3) % 4) - (at >> 5) - 8 * (at % 8));
const FINAL = Array.from({ length: 64 }, (_, at) => INITIAL.indexOf(at + 1) + 1);
const EXPANSION = Array.from({ length: 48 }, (_, at) => ((4 * Math.floor(at / 6) + (at % 6) + 31) % 32) + 1);
const PERMUTATION = [
  16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22,
  11, 4, 25,
];
const KEY_CHOICE = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
  63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];
const ROUND_CHOICE = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47,
  55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
/** The cumulative rotation of the key halves in each round. */
const ROTATIONS = [1, 2, 4, 6, 8, 10, 12, 14, 15, 17, 19, 21, 23, 25, 27, 28];
/** The S-boxes: the rows of each concatenated, one hexadecimal digit per entry. */
const BOXES = [
  'e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d',
  'f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9',
  'a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c',
  '7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e',
  '2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453',
  'c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d',
  '4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c',
  'd2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b',
];

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The output of each S-box by six input bits, of which the outer two select the row. */
const SUBSTITUTES = BOXES.map((box) =>
  Array.from({ length: 64 }, (_, six) => {
    const row = ((six >> 4) & 2) | (six & 1);
    return Number.parseInt(box[16 * row + ((six >> 1) & 15)] ?? '0', 16);
  }),
);

const pick = (bits: Uint8Array, table: readonly number[]): Uint8Array =>
  Uint8Array.from(table, (at) => bits[at - 1] ?? 0);
/** The lowest `count` bits of a number, most significant first. */
const bitsOf = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (value >> (count - 1 - at)) & 1);

/**
 * Computes the traditional crypt(3): 25 times DES over zeros, keyed by seven bits of each of the first eight octets,
 * with an expansion that the salt permutes. Takes about a millisecond.
 *
 * @param salt two characters of `./0-9A-Za-z`
 * @returns salt and hash, 13 characters
 */
export function desCrypt(password: string, salt: string): string {
  const expansion = permuteExpansion(salt);
  const keys = roundKeys(Buffer.from(password, 'utf8').subarray(0, 8));
  let block = new Uint8Array(64);
  for (let times = 0; times < 25; times++) block = encrypt(block, keys, expansion);
  const bits = [...block, 0, 0];
  const sixes = Array.from({ length: 11 }, (_, at) =>
    Number.parseInt(bits.slice(6 * at, 6 * at + 6).join(''), 2),
  );
  return salt + sixes.map((six) => ALPHABET[six] ?? '').join('');
}

/** Each bit of the salt swaps two entries of the expansion. */
function permuteExpansion(salt: string): readonly number[] {
  const swapped = Array.from(salt, (character) => bitsOf(ALPHABET.indexOf(character), 6).reverse()).flat();
  return EXPANSION.map((own, at) => (swapped[at % 24] === 1 ? (EXPANSION[(at + 24) % 48] ?? own) : own));
}

function roundKeys(octets: Uint8Array): readonly Uint8Array[] {
  const key = Array.from({ length: 8 }, (_, at) => [...bitsOf(octets[at] ?? 0, 7), 0]).flat();
  const chosen = [...pick(Uint8Array.from(key), KEY_CHOICE)];
  const rotate = (half: number[], by: number): number[] => [...half.slice(by), ...half.slice(0, by)];
  return ROTATIONS.map((by) =>
    pick(
      Uint8Array.from([...rotate(chosen.slice(0, 28), by), ...rotate(chosen.slice(28), by)]),
      ROUND_CHOICE,
    ),
  );
}

function encrypt(
  block: Uint8Array,
  keys: readonly Uint8Array[],
  expansion: readonly number[],
): Uint8Array<ArrayBuffer> {
  const mixed = pick(block, INITIAL);
  let left = mixed.slice(0, 32);
  let right = mixed.slice(32);
  const substituted = new Uint8Array(32);
  for (const key of keys) {
    substitute(right, key, expansion, substituted);
    for (let at = 0; at < 32; at++) {
      left[at] = (left[at] ?? 0) ^ (substituted[(PERMUTATION[at] ?? 1) - 1] ?? 0);
    }
    [left, right] = [right, left];
  }
  return Uint8Array.from(FINAL, (at) => (at <= 32 ? right[at - 1] : left[at - 33]) ?? 0);
}

function substitute(right: Uint8Array, key: Uint8Array, expansion: readonly number[], out: Uint8Array): void {
  for (const [box, substitutes] of SUBSTITUTES.entries()) {
    let six = 0;
    for (let at = 6 * box; at < 6 * box + 6; at++) {
      six = (six << 1) | ((right[(expansion[at] ?? 1) - 1] ?? 0) ^ (key[at] ?? 0));
    }
    const four = substitutes[six] ?? 0;
    for (let bit = 0; bit < 4; bit++) out[4 * box + bit] = (four >> (3 - bit)) & 1;
  }
}
