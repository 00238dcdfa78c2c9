import { readFileSync, writeFileSync } from 'node:fs';

/** Expects each part of a page to be as generated: `<!-- name -->` … `<!-- /name -->`. WRITE_GOLDEN=1 writes them. */
export function expectPage(file: string, parts: Readonly<Record<string, string>>): void {
  const page = readFileSync(file, 'utf8');
  let generated = page;
  for (const [name, part] of Object.entries(parts)) {
    const pattern = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`);
    generated = generated.replace(pattern, (_, begin: string, end: string) => `${begin}\n${part}\n${end}`);
  }
  if (process.env.WRITE_GOLDEN === '1') writeFileSync(file, generated);
  expect(page).toBe(generated);
}

/** Formats a table in Markdown as the formatter does. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
