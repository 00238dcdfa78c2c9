import fc from 'fast-check';
import {
  lineDifference,
  type TextLine,
} from '../../../../../src/modules/admin/actions/revisions/line-difference';

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const short = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 3 });

/** One side of a difference that leaves nothing out. */
const side = (lines: readonly TextLine[], kind: 'before' | 'after'): readonly string[] =>
  lines.filter((line) => line.kind === kind || line.kind === 'same').map((line) => line.text);

const shown = (before: string, after: string): readonly string[] =>
  lineDifference(before, after).map(
    ({ kind, text: line }) => ({ same: ' ', before: '-', after: '+', gap: '⋯' })[kind] + line,
  );

describe('The difference of two texts, line by line', () => {
  it('holds both of them', () => {
    fc.assert(
      fc.property(short, short, (before, after) => {
        const lines = lineDifference(text(before), text(after)).filter(({ kind }) => kind !== 'gap');
        if (lines.length === 0) expect(before).toEqual(after);
        else expect([side(lines, 'before'), side(lines, 'after')]).toEqual([before, after]);
      }),
    );
  });

  it('takes away and adds no more than it has to', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }), fc.nat(), (lines, at) => {
        const without = lines.filter((_, index) => index !== at % Math.max(1, lines.length));
        const changed = lineDifference(text(lines), text(without)).filter(
          ({ kind }) => kind === 'before' || kind === 'after',
        );
        expect(changed.length).toBe(lines.length - without.length);
      }),
    );
  });

  it('shows three lines around what differs, and leaves out the others', () => {
    const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    expect(shown(text(lines), text(lines.map((line) => (line === '5' ? 'five' : line))))).toEqual([
      '⋯',
      ' 2',
      ' 3',
      ' 4',
      '-5',
      '+five',
      ' 6',
      ' 7',
      ' 8',
      '⋯',
    ]);
  });

  it('takes no text for no line', () => {
    expect(shown('', 'a\n')).toEqual(['+a']);
    expect(shown('a', '')).toEqual(['-a']);
  });

  it('does not care how lines end', () => {
    expect(shown('a\r\nb\r\n', 'a\nc')).toEqual([' a', '-b', '+c']);
  });

  it('answers soon for long texts that have nothing in common', () => {
    const [one, other] = ['a', 'b'].map((letter) =>
      text(Array.from({ length: 20_000 }, (_, at) => `${letter}${at}`)),
    );
    const begun = performance.now();
    expect(lineDifference(one ?? '', other ?? '')).toHaveLength(40_000);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
