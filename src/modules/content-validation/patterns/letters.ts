import { visitRegExpAST, type AST } from '@eslint-community/regexpp';
import { PatternTooComplex, type Leaf } from './automaton';

/** Where `\d`, `\w`, `\s` and `.` begin and end (ECMA-262, 22.2.2.9, 12.2 and 12.3). */
const OF_SETS: readonly number[] = [
  ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x30, 0x39, 0x41, 0x5a, 0x5f, 0x61, 0x7a, 0xa0, 0x1680, 0x2000, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
];

const LAST = 0x10_ffff;

/** Properties of Unicode that one pattern may name; each is looked for among all code points. */
const MOST_PROPERTIES = 20;

/** Letters that are tried, times parts that they are tried with. */
const MOST_TESTS = 1_000_000;

/**
 * Letters of which one stands for all that the parts of a pattern do not tell apart: for each, by leaf, whether the
 * leaf matches it.
 * @throws TooLarge for a pattern that names too much
 */
export function lettersOf(pattern: AST.Pattern, leaves: readonly Leaf[]): readonly (readonly boolean[])[] {
  const written = [...new Set(leaves)];
  const tests = written.map((leaf) => (leaf === undefined ? undefined : new RegExp(`^(?:${leaf})$`, 'u')));
  const kinds = new Map<string, readonly boolean[]>();
  const points = pointsOf(pattern);
  if (points.size * tests.length > MOST_TESTS) throw new PatternTooComplex();
  for (const point of points) {
    const letter = String.fromCodePoint(point);
    const matched = tests.map((test) => test?.test(letter) ?? true);
    kinds.set(matched.map(Number).join(''), matched);
  }
  const column = leaves.map((leaf) => written.indexOf(leaf));
  return [...kinds.values()].map((matched) => column.map((at) => matched[at] ?? false));
}

/** Code points before, at and behind every border of what a pattern names. */
function pointsOf(pattern: AST.Pattern): ReadonlySet<number> {
  const borders = new Set(OF_SETS);
  const properties = new Set<string>();
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => borders.add(value),
    onCharacterSetEnter: ({ kind, raw }) => kind === 'property' && properties.add(raw),
  });
  if (properties.size > MOST_PROPERTIES) throw new PatternTooComplex();
  for (const property of properties) for (const border of bordersOf(property)) borders.add(border);
  const points = [...borders].flatMap((border) => [border - 1, border, border + 1]);
  return new Set(points.filter((point) => point >= 0 && point <= LAST));
}

/** Where a property of Unicode begins and ends to hold. */
function bordersOf(property: string): readonly number[] {
  const test = new RegExp(property, 'u');
  const borders: number[] = [];
  let before: boolean | undefined;
  // Of the planes behind the second, which hold little but one script, a part is enough.
  for (let point = 0; point <= LAST; point += point < 0x2_0000 ? 1 : 0x80) {
    const holds = test.test(String.fromCodePoint(point));
    if (holds !== before) borders.push(point);
    before = holds;
  }
  return borders;
}
