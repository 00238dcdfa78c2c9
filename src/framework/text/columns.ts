/**
 * Formats rows as columns that are separated by two spaces. The last one is not padded.
 * @param heading the names of the columns
 */
export function formatColumns(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, at) =>
    all.reduce((widest, row) => Math.max(widest, row[at]?.length ?? 0), 0),
  );
  return all
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
