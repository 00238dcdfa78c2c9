import { DURATION_BUCKETS } from '../../operations';

/**
 * Estimates a quantile of durations from a histogram, as `histogram_quantile` of Prometheus does: linearly inside the
 * bucket. Durations beyond the last bound count as that bound.
 * @param buckets the requests of each bucket, not cumulated
 * @returns seconds; NaN without requests
 */
export function quantileOf(buckets: readonly number[] | Float64Array, quantile: number): number {
  let count = 0;
  for (const one of buckets) count += one;
  if (count <= 0) return NaN;
  const rank = quantile * count;
  let below = 0;
  for (const [at, bound] of DURATION_BUCKETS.entries()) {
    const inside = buckets[at] ?? 0;
    if (inside > 0 && below + inside >= rank) {
      const lower = DURATION_BUCKETS[at - 1] ?? 0;
      return lower + (bound - lower) * Math.max(0, (rank - below) / inside);
    }
    below += inside;
  }
  return DURATION_BUCKETS.at(-1) ?? NaN;
}
