import fc from 'fast-check';
import {
  constraintExcerpt,
  jsonExcerpt,
  listExcerpt,
  proseExcerpt,
  valueExcerpt,
} from '../../../../src/modules/documentation/view-helpers/excerpt';

describe('the beginning of a description', () => {
  it('is all of it where that is short', () => {
    expect(proseExcerpt('a b', 3)).toEqual({ text: 'a b', isCut: false });
  });

  it.each([
    ['first paragraph\n\nsecond\nline', 'first paragraph'],
    ['first line\nsecond line', 'first line'],
    ['words that go on and on', 'words that go on'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaa'],
  ])('of %j ends where something ends', (text, beginning) => {
    expect(proseExcerpt(text, 19)).toEqual({ text: beginning, isCut: true });
  });

  it('is what the text begins with, at most so long, and cuts no character in two', () => {
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
  it('is written as it is, or as JSON, and cut where it is long', () => {
    expect(valueExcerpt('a')).toBe('a');
    expect(valueExcerpt({ a: 1 })).toBe('{"a":1}');
    expect(valueExcerpt('x'.repeat(10_000))).toBe(`${'x'.repeat(500)}…`);
    expect(valueExcerpt(`${'x'.repeat(499)}😀`)).toBe(`${'x'.repeat(499)}…`);
  });

  it('as an example of several lines is left out where it is too long', () => {
    expect(jsonExcerpt({ a: 1 })).toBe('{\n  "a": 1\n}');
    expect(jsonExcerpt('x'.repeat(100_000))).toBeUndefined();
  });

  it('is one of the first fifty of a list', () => {
    expect(listExcerpt([1, 2])).toEqual({ values: [1, 2], more: 0 });
    expect(listExcerpt(Array.from({ length: 53 }, (_, at) => at)).more).toBe(3);
  });
});

describe('the values to choose from', () => {
  const shown = (values: readonly unknown[]) =>
    constraintExcerpt({ keyword: 'enum', words: 'One of', values });

  it('are written without quotes where all are texts, and as JSON otherwise', () => {
    expect(shown(['a', 'b']).values).toEqual(['a', 'b']);
    expect(shown(['1', 1, null]).values).toEqual(['"1"', '1', 'null']);
    expect(shown(['', 'a']).values).toEqual(['""', '"a"']);
    expect(constraintExcerpt({ keyword: 'default', words: 'Default', values: ['a'] }).values).toEqual([
      '"a"',
    ]);
  });

  it('are the first fifty, and the number of the others', () => {
    const { values, more } = shown(Array.from({ length: 53 }, (_, at) => at));
    expect([values.length, more]).toEqual([50, 3]);
  });
});
