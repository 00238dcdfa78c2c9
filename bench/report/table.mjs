// Markdown tables, aligned for reading as text.

/** @param {readonly object[]} rows with the same members, which are the columns @returns {string} */
export function table(rows) {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, at) => Math.max(3, ...cells.map((line) => line[at].length)));
  const line = (texts) => `| ${texts.map((text, at) => text.padEnd(widths[at])).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}
