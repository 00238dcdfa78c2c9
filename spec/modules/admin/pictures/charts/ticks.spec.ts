import fc from 'fast-check';
import { ticksTo } from '../../../../../src/modules/admin/pictures/charts/ticks';

describe('The ticks of an axis', () => {
  it.each([
    [7.3, [0, 2, 4, 6, 8]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [0.03, [0, 0.01, 0.02, 0.03]],
    [95, [0, 25, 50, 75, 100]],
    [4_000_001, [0, 2_000_000, 4_000_000, 6_000_000]],
  ])('to %d are round', (maximum, ticks) => {
    expect(ticksTo(maximum, 4)).toEqual(ticks);
  });

  it('begin with 0, reach the maximum, are few, and are written with at most three digits', () => {
    const maximum = fc.double({ min: 1e-9, max: 1e15, noNaN: true });
    fc.assert(
      fc.property(maximum, fc.integer({ min: 1, max: 8 }), (value, intervals) => {
        const ticks = ticksTo(value, intervals);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-8));
        // One interval less would not reach it.
        expect(ticks.at(-2)).toBeLessThan(value);
        expect(ticks.length).toBeLessThanOrEqual(intervals + 1);
        for (const tick of ticks) expect(tick).toBe(Number(tick.toPrecision(3)));
      }),
    );
  });
});
