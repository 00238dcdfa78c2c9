// The tables of RESULTS.md.

const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** @param {readonly string[]} lines of a section @returns the first table: an object for each row, by column */
function firstTable(lines) {
  const head = lines.findIndex((line) => line.startsWith('| '));
  if (head < 0) return undefined;
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'));
  const names = cellsOf(lines[head]);
  return lines
    .slice(head + 2, end < 0 ? undefined : end)
    .map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [names[at], cell])));
}

/**
 * The first table of each section, by its heading. Sections without a table, such as those that were not measured, are
 * left out.
 * @param {string} markdown
 * @returns {Map<string, Record<string, string>[]>}
 */
export function tablesOf(markdown) {
  const sections = markdown.split(/^#+ /m).slice(1);
  const tables = sections.map((section) => {
    const [title, ...lines] = section.split('\n');
    return [title, firstTable(lines)];
  });
  return new Map(tables.filter(([, table]) => table !== undefined));
}
