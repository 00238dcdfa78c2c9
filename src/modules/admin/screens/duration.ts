const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats a number of seconds in its two largest units: `3 days 2 hours`. */
export function duration(seconds: number): string {
  const parts = UNITS.flatMap(([unit, size], at) => {
    const whole = at === 0 ? seconds : seconds % (UNITS[at - 1]?.[1] ?? Infinity);
    const count = Math.floor(whole / size);
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? 'less than a minute' : parts.slice(0, 2).join(' ');
}
