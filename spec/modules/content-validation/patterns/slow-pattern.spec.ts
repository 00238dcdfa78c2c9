import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { isSlowPattern } from '../../../../src/modules/content-validation';

const SEMANTIC_VERSION =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$';

it.each([
  ['a repetition within a repetition', '^(a+)+$'],
  ['the same with any character', '^(.*)*$'],
  ['overlapping alternatives', '^(a|a)*$'],
  ['alternatives with a common sequence', '^(?:a|b|ab)*c'],
  ['an optional part within a repetition', '^(\\w+\\s?)*$'],
  ['many optional parts', '^(a?){30}$'],
  ['the same, unrolled', '^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?$'],
  ['large bounds', '^(?:a{1,50}){1,50}$'],
  ['an empty part with a minimum', '^(?:(?:a?)+b)*$'],
  ['two adjacent repetitions', '^a*a*$'],
  ['a text in the middle', '^.*foo.*$'],
  ['no start anchor', '[a-z]+$'],
  ['no start anchor, white space', '\\s+$'],
  ['no start anchor, and more after the repetition', '[a-z]+x'],
  ['no start anchor, and a choice of which one needs more', '(?:a+)+b|c'],
  ['no start anchor, and an optional part that can fail', 'x(?:(?:a+)+b)?'],
  ['no start anchor, and a boundary', '[a-z]+\\b-'],
  ['a backreference', '^(a+)\\1$'],
  ['a lookahead', '^(?=(a+)+$)b'],
  ['a lookbehind', '(?<=a+)b'],
])('is slow: %s', (_, pattern) => {
  expect([pattern, isSlowPattern(pattern)]).toEqual([pattern, true]);
});

it.each([
  '',
  '.',
  '.*',
  '^$',
  '^[A-Za-z]{2}$',
  '\\S+',
  'foo',
  '(me|[a-zA-Z0-9]+(-[a-zA-Z0-9]+)*)',
  '[a-z]+(?:-[a-z]+)*',
  '^https?://[^\\s/$.?#].[^\\s]*$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^([a-z]+-)*[a-z]+$',
  '^[\\w.]+@[\\w.]+\\.[a-z]+$',
  '^(?!.*--)[a-z-]+$',
  '^[\\p{L}\\p{N} ]+$',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$',
  '^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,}$',
  '^.{0,5000}$',
  SEMANTIC_VERSION,
])('is not slow: %s', (pattern) => {
  expect(isSlowPattern(pattern)).toBe(false);
});

it('does not report a choice of many alternatives', () => {
  const words = Array.from({ length: 250 }, (_, at) => `a${at}`);
  expect(isSlowPattern(`^(?:${words.join('|')})$`)).toBe(false);
});

it.each([
  ['nested too deeply', '('.repeat(20_000) + ')'.repeat(20_000)],
  ['too large', `^(?:${Array.from({ length: 1_000 }, (_, at) => `a${at}`).join('|')})*$`],
  ['many nested empty repetitions', `^${'(?:'.repeat(30)}${'){1000}'.repeat(30)}(a+)+$`],
  ['many alternatives', `^(?:${Array.from({ length: 100_000 }, (_, at) => `a${at}`).join('|')})$`],
  [
    'many different classes',
    `^${Array.from({ length: 4_000 }, (_, at) => `[\\u{${(at * 8 + 256).toString(16)}}a]`).join('')}$`,
  ],
  ['an invalid pattern', '('],
])('reports a pattern that cannot be analyzed: %s', (_, pattern) => {
  expect(isSlowPattern(pattern)).toBe(true);
});

/** Patterns of a few characters, with a high density of the constructs that make patterns slow. */
const { pattern } = fc.letrec<{ pattern: string; part: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', 'ab'),
    tie('pattern').map((inner) => `(?:${inner})`),
    tie('pattern').map((inner) => `(?=${inner})`),
  ),
  part: fc
    .tuple(tie('atom'), fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,3}', '{2,}'))
    .map(([atom, times]) => (/^(\\b|\(\?=.*)$/s.test(atom) ? atom : `(?:${atom})${times}`)),
  pattern: fc
    .array(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
    .map((alternatives) => alternatives.map((parts) => parts.join('')).join('|')),
}));

it('reports every pattern that is slow in the engine', () => {
  let fast = 0;
  const text = fc
    .tuple(
      fc.stringMatching(/^[ab]{0,3}$/),
      fc.stringMatching(/^[ab]{1,3}$/),
      fc.constantFrom('!', '', 'a', 'b\n'),
    )
    .map(([before, again, behind]) => before + again.repeat(10_000) + behind);
  fc.assert(
    fc.property(
      pattern,
      fc.boolean(),
      fc.array(text, { minLength: 3, maxLength: 3 }),
      (inner, whole, texts) => {
        const made = whole ? `^(?:${inner})$` : inner;
        if (isSlowPattern(made)) return;
        fast += 1;
        // The timeout stops the engine, which would otherwise not end for an exponential pattern.
        const run = `const made = new RegExp(pattern, 'u'); texts.map((one) => made.test(one))`;
        expect(runInNewContext(run, { pattern: made, texts }, { timeout: 5_000 })).toHaveLength(texts.length);
      },
    ),
    { numRuns: 1_000 },
  );
  expect(fast).toBeGreaterThan(50);
});
