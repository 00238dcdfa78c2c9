/** The console shows this many kinds of losses; a report lists them all. */
const MAX_LINES = 50;

/**
 * Formats the losses of an import for the console.
 * @param losses one line per kind
 * @param report the file that lists them all; undefined for none
 */
export function formatLosses(losses: readonly string[], report: string | undefined): string {
  if (losses.length === 0) return '';
  const shown = losses.slice(0, MAX_LINES).map((line) => `  ${line}\n`);
  const more = losses.length - shown.length;
  const where = report === undefined ? 'use --report FILE to list them all' : `see ${report}`;
  const rest = more === 0 ? '' : `  … and ${more} more: ${where}\n`;
  return `Not imported:\n${shown.join('')}${rest}`;
}
