/** Steps between ticks that are easy to read, per power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const;

/**
 * Returns round values from 0 to at least a maximum, evenly spaced.
 * @param maximum positive and finite
 * @param intervals how many there are at most, at least 1
 * @example ticksTo(7.3, 4) // [0, 2, 4, 6, 8]
 */
export function ticksTo(maximum: number, intervals: number): readonly number[] {
  // A tenth of the magnitude is exact as a string only: 0.1 * 3 is not 0.3.
  const exponent = Math.floor(Math.log10(maximum / intervals));
  const power = (step: number): number => Number(`${step}e${exponent}`);
  const step = STEPS.find((one) => power(one) * intervals >= maximum) ?? 10;
  const count = Math.max(1, Math.ceil(maximum / power(step) - 1e-9));
  return Array.from({ length: count + 1 }, (_, at) => Number(`${at * step}e${exponent}`));
}
