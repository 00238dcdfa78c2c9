import { visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { PatternTooComplex, type Leaf } from './automaton';

/** The boundaries of `\d`, `\w`, `\s` and `.` (ECMA-262, 22.2.2.9, 12.2 and 12.3). */
const SET_BOUNDARIES: readonly number[] = [
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x30, 0x39, 0x41, 0x5a, 0x5f, 0x61, 0x7a, 0xa0, 0x1680, 0x2000, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
];

const MAX_CODE_POINT = 0x10_ffff;

/** Unicode properties per pattern; each is evaluated for all code points. */
const MAX_PROPERTIES = 20;

/** Characters multiplied by the leaves that they are tested against. */
const MAX_TESTS = 1_000_000;

/**
 * Returns one representative character for each class of characters that the pattern does not distinguish: for each,
 * whether each leaf matches it.
 * @throws PatternTooComplex if the pattern names too many characters
 */
export function lettersOf(pattern: AST.Pattern, leaves: readonly Leaf[]): readonly (readonly boolean[])[] {
  const distinct = [...new Set(leaves)];
  const tests = distinct.map((leaf) => (leaf === undefined ? undefined : new RegExp(`^(?:${leaf})$`, 'u')));
  const kinds = new Map<string, readonly boolean[]>();
  const points = pointsOf(pattern);
  if (points.size * tests.length > MAX_TESTS) throw new PatternTooComplex();
  for (const point of points) {
    const letter = String.fromCodePoint(point);
    const matched = tests.map((test) => test?.test(letter) ?? true);
    kinds.set(matched.map(Number).join(''), matched);
  }
  const column = leaves.map((leaf) => distinct.indexOf(leaf));
  return [...kinds.values()].map((matched) => column.map((at) => matched[at] ?? false));
}

/** Returns the code points before, at and after each boundary in the pattern. */
function pointsOf(pattern: AST.Pattern): ReadonlySet<number> {
  const boundaries = new Set(SET_BOUNDARIES);
  const properties = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => boundaries.add(value),
    onCharacterSetEnter: ({ kind, raw }) => kind === 'property' && properties.add(raw),
  });
  if (properties.size > MAX_PROPERTIES) throw new PatternTooComplex();
  for (const property of properties) for (const boundary of boundariesOf(property)) boundaries.add(boundary);
  const points = [...boundaries].flatMap((boundary) => [boundary - 1, boundary, boundary + 1]);
  return new Set(points.filter((point) => point >= 0 && point <= MAX_CODE_POINT));
}

/** Returns the code points where a Unicode property starts or ceases to match. */
function boundariesOf(property: string): readonly number[] {
  const test = new RegExp(property, 'u');
  const boundaries: number[] = [];
  let before: boolean | undefined;
  // The planes after the second hold little but one script; samples are enough.
  for (let point = 0; point <= MAX_CODE_POINT; point += point < 0x2_0000 ? 1 : 0x80) {
    const holds = test.test(String.fromCodePoint(point));
    if (holds !== before) boundaries.push(point);
    before = holds;
  }
  return boundaries;
}
