import fc from 'fast-check';
import {
  constraintExcerpt,
  jsonExcerpt,
  listExcerpt,
  proseExcerpt,
  valueExcerpt,
} from '../../../../src/modules/documentation/text/excerpt';

describe('an excerpt of a description', () => {
  it('is the whole text if it is short', () => {
    expect(proseExcerpt('a b', 3)).toEqual({ text: 'a b', isCut: false });
  });

  it.each([
    ['first paragraph\n\nsecond\nline', 'first paragraph'],
    ['first line\nsecond line', 'first line'],
    ['words that run on and on', 'words that run on'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaa'],
  ])('of %j ends at a boundary', (text, beginning) => {
    expect(proseExcerpt(text, 19)).toEqual({ text: beginning, isCut: true });
  });

  it('is a prefix of limited length without split characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          const { text: beginning, isCut } = proseExcerpt(text, most);
          expect(text.startsWith(beginning)).toBe(true);
          expect(beginning.length).toBeLessThanOrEqual(most);
          expect(isCut).toBe(beginning.length < text.length);
          expect(beginning).not.toMatch(/[\ud800-\udbff]$/);
        },
      ),
    );
  });
});

describe('a value in a line', () => {
  it('is text or JSON, shortened if it is long', () => {
    expect(valueExcerpt('a')).toBe('a');
    expect(valueExcerpt({ a: 1 })).toBe('{"a":1}');
    expect(valueExcerpt('x'.repeat(10_000))).toBe(`${'x'.repeat(500)}…`);
    expect(valueExcerpt(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}…`);
  });

  it('is omitted as a multi-line example if it is too long', () => {
    expect(jsonExcerpt({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(jsonExcerpt('x'.repeat(100_000))).toBeUndefined();
  });

  it('is limited to the first fifty of a list', () => {
    expect(listExcerpt([1, 2])).toEqual({ values: [1, 2], more: 0 });
    expect(listExcerpt(Array.from({ length: 53 }, (_, at) => at)).more).toBe(3);
  });
});

describe('constraintExcerpt', () => {
  const shown = (values: readonly unknown[]) => constraintExcerpt({ keyword: 'enum', values });

  it('writes text values without quotes, and mixed values as JSON', () => {
    expect(shown(['a', 'b']).values).toEqual(['a', 'b']);
    expect(shown(['1', 1, null]).values).toEqual(['"1"', '1', 'null']);
    expect(shown(['', 'a']).values).toEqual(['""', '"a"']);
    expect(constraintExcerpt({ keyword: 'default', values: ['a'] }).values).toEqual(['"a"']);
  });

  it('returns the first fifty values, and the number of the others', () => {
    const { values, more } = shown(Array.from({ length: 53 }, (_, at) => at));
    expect([values.length, more]).toEqual([50, 3]);
  });
});
