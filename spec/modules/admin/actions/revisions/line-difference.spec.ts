import fc from 'fast-check';
import {
  lineDifference,
  type TextLine,
} from '../../../../../src/modules/admin/actions/revisions/line-difference';
import { growthOf } from '../../../../factories/measure/cpu-time';

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const short = fc.array(fc.constantFrom('a', 'b', 'c', '{', '}'), { maxLength: 3 });

/** Returns one side of a difference without gaps. */
const side = (lines: readonly TextLine[], kind: 'before' | 'after'): readonly string[] =>
  lines.filter((line) => line.kind === kind || line.kind === 'same').map((line) => line.text);

const formatted = (before: string, after: string): readonly string[] =>
  lineDifference(before, after).map(
    ({ kind, text: line }) => ({ same: ' ', before: '-', after: '+', gap: '⋯' })[kind] + line,
  );

describe('The line difference of two texts', () => {
  it('contains both texts', () => {
    fc.assert(
      fc.property(short, short, (before, after) => {
        const lines = lineDifference(text(before), text(after)).filter(({ kind }) => kind !== 'gap');
        if (lines.length === 0) expect(before).toEqual(after);
        else expect([side(lines, 'before'), side(lines, 'after')]).toEqual([before, after]);
      }),
    );
  });

  it('removes and adds as few lines as possible', () => {
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

  it('shows three lines of context and omits the others', () => {
    const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    expect(formatted(text(lines), text(lines.map((line) => (line === '5' ? 'five' : line))))).toEqual([
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

  it('treats an empty text as zero lines', () => {
    expect(formatted('', 'a\n')).toEqual(['+a']);
    expect(formatted('a', '')).toEqual(['-a']);
  });

  it('ignores differences in line endings', () => {
    expect(formatted('a\r\nb\r\n', 'a\nc')).toEqual([' a', '-b', '+c']);
  });

  it('takes linear time for long texts without common lines', () => {
    const numbered = (letter: string, length: number): string =>
      text(Array.from({ length }, (_, at) => `${letter}${at}`));
    const difference = (lines: number): readonly unknown[] =>
      lineDifference(numbered('a', lines), numbered('b', lines));
    expect(difference(20_000)).toHaveLength(40_000);
    // Comparing each line with each would take 64 times as long.
    expect(growthOf(difference, 2_500, 20_000)).toBeLessThan(25);
  });
});
