import fc from 'fast-check';
import { quantileOf } from '../../../../src/modules/admin/monitoring/quantile';
import { DURATION_BUCKETS } from '../../../../src/modules/operations';

/** Counts durations like the histogram of an operation. */
function bucketsOf(durations: readonly number[]): number[] {
  const buckets = Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0);
  for (const one of durations) {
    const found = DURATION_BUCKETS.findIndex((bound) => one <= bound);
    const at = found < 0 ? DURATION_BUCKETS.length : found;
    buckets[at] = (buckets[at] ?? 0) + 1;
  }
  return buckets;
}

describe('A quantile of a histogram', () => {
  it('is interpolated inside the bucket', () => {
    const buckets = bucketsOf(Array.from({ length: 100 }, () => 0.07));
    expect(quantileOf(buckets, 0.5)).toBeCloseTo(0.075);
    expect(quantileOf(buckets, 1)).toBeCloseTo(0.1);
  });

  it('is not a number without requests, and the last bound for longer ones', () => {
    expect(quantileOf(bucketsOf([]), 0.5)).toBeNaN();
    expect(quantileOf(bucketsOf([60, 70]), 0.5)).toBe(10);
  });

  it('is in the bucket of the exact quantile, and grows with the rank', () => {
    const durations = fc.array(fc.double({ min: 0.0001, max: 9.9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, quantile) => {
        const sorted = [...values].sort((a, b) => a - b);
        const exact = sorted[Math.max(0, Math.ceil(quantile * values.length - 1e-9) - 1)] ?? 0;
        const upper = DURATION_BUCKETS.find((bound) => exact <= bound) ?? 0;
        const lower = DURATION_BUCKETS[DURATION_BUCKETS.indexOf(upper) - 1] ?? 0;
        const estimate = quantileOf(bucketsOf(values), quantile);
        expect(estimate).toBeGreaterThanOrEqual(lower - 1e-12);
        expect(estimate).toBeLessThanOrEqual(upper + 1e-12);
        expect(quantileOf(bucketsOf(values), 1)).toBeGreaterThanOrEqual(estimate);
      }),
    );
  });
});
