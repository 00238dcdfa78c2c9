/** Returns a number of things: `1 operation`, `2 operations`. */
export function pluralize(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
