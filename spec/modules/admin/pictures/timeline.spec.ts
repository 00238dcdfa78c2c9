import fc from 'fast-check';
import { placeTimeline, ticksOf, type Timeline } from '../../../../src/modules/admin/pictures/timeline';
import { timelineSvg } from '../../../../src/modules/admin/pictures/timeline-svg';
import { anyText } from '../../../factories/any-text';

const text = anyText({ maxLength: 80 });
const time = fc.double({ min: 0, max: 100_000, noNaN: true });
const timeline: fc.Arbitrary<Timeline> = fc.record({
  end: time,
  rows: fc.array(
    fc.record({
      title: text,
      depth: fc.nat(9),
      start: time,
      duration: time,
      kind: fc.constantFrom('plain', 'statement', 'end', 'bad'),
      note: text,
      label: text,
      href: text,
    }),
    { maxLength: 20 },
  ),
});

describe('A timeline', () => {
  it('has every bar and note inside the picture, however long they are', () => {
    fc.assert(
      fc.property(timeline, (any) => {
        const { width, height, rows } = placeTimeline(any);
        expect(rows).toHaveLength(any.rows.length);
        for (const { x, y, width: own, noteX, isNoteBefore } of rows) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(own).toBeGreaterThanOrEqual(2);
          expect(x + own).toBeLessThanOrEqual(width + 2);
          expect(y).toBeLessThan(height);
          expect(isNoteBefore ? noteX : width - noteX).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('orders bars by time', () => {
    const row = { title: 'a', depth: 0, kind: 'plain' as const, note: '', label: '', href: '#a' };
    const { rows } = placeTimeline({
      end: 10,
      rows: [
        { ...row, start: 0, duration: 5 },
        { ...row, start: 5, duration: 5 },
      ],
    });
    const [first, second] = rows;
    expect((first?.x ?? 0) + (first?.width ?? 0)).toBeCloseTo(second?.x ?? 0, 0);
    expect(first?.width).toBeCloseTo(second?.width ?? 0, 0);
  });

  it('has at most seven ticks at round times', () => {
    expect(ticksOf(30.7)).toEqual([0, 10, 20, 30]);
    expect(ticksOf(0.6)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e6, noNaN: true }), (end) => {
        const ticks = ticksOf(end);
        expect(ticks[0]).toBe(0);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks.length).toBeGreaterThan(1);
        expect(ticks.at(-1)).toBeLessThanOrEqual(end * 1.000001);
      }),
    );
  });

  it('is well-formed SVG, whatever the texts are', () => {
    fc.assert(
      fc.property(timeline, text, (any, title) => {
        const svg = timelineSvg(placeTimeline(any), { id: 'x', title, description: title });
        const open: string[] = [];
        for (const [, closing, name = '', empty] of svg.matchAll(
          /<(\/?)(\w+)(?: [\w:-]+="[^"<>]*")*(\/?)>/g,
        )) {
          if (closing === '/') expect(open.pop()).toBe(name);
          else if (empty === '') open.push(name);
        }
        expect(open).toEqual([]);
        expect(svg.replaceAll(/<\/?\w+(?: [\w:-]+="[^"<>]*")*\/?>/g, '')).not.toMatch(/[<>]/);
      }),
    );
  });
});
