/** Kinds of losses that the console shows; a report has them all. */
const SHOWN = 50;

/**
 * What of the losses of an import the console shows: every kind, or the first of very many.
 * @param losses a line for each kind
 * @param report the file that has them all; undefined for none
 */
export function shownLosses(losses: readonly string[], report: string | undefined): string {
  if (losses.length === 0) return '';
  const shown = losses.slice(0, SHOWN).map((line) => `  ${line}\n`);
  const more = losses.length - shown.length;
  const where = report === undefined ? '--report FILE writes them all' : `${report} has them all`;
  const rest = more === 0 ? '' : `  … and ${more} more: ${where}\n`;
  return `Not taken over:\n${shown.join('')}${rest}`;
}
