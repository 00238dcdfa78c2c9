/** Characters with a meaning in CommonMark; `&` has one in a character reference only. */
const MARKS = /[\\`*_{}[\]<>#|~]|&(?=#?\w+;)/g;

/** Escapes plain text for CommonMark, in one line. */
export function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(MARKS, '\\$&');
}

/** Formats a code span with a fence longer than any run of backticks inside. */
export function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return line === '' ? '' : `${fence}${room}${line}${room}${fence}`;
}

/** Formats a fenced code block. @param language e.g. `json` */
export function block(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** The first line of a fenced code block, which may be that of a list item too (CommonMark, 4.5). */
const FENCE = /^( {0,3}(?:[-+*]|\d{1,9}[.)]) +)? {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

interface Fence {
  readonly marks: string;
  /** The indentation of the list item that contains the block, or 0. */
  readonly indentation: number;
  /** The space before it, which may be that of a list item that began before. */
  readonly margin: string;
}

/** A line, and one that makes it a heading if it is a paragraph (CommonMark, 4.3). */
const LINE = /(?<!\r)^(.*)$(\r?\n {0,3}(?:=+|-+)[ \t]*$)?/gm;

/** The beginning of a paragraph: no list, quote, table, HTML, code, definition of a link or break (CommonMark, 4.1, 4.7). */
const PARAGRAPH =
  /^ {0,3}(?![-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|[>#|<]|`{3}|~{3}|\[[^\]]*\]:|([-*_])(?:[ \t]*\1){2,}[ \t]*$)\S/;

/** An HTML block that blank lines do not end (CommonMark, 4.6, conditions 1 to 5). */
interface HtmlBlock {
  /** The beginning of its first line. */
  readonly start: RegExp;
  /** Its last line contains this. */
  readonly end: string;
}

const HTML_BLOCKS: readonly HtmlBlock[] = [
  ...['pre', 'script', 'style', 'textarea'].map((tag) => ({
    start: new RegExp(`^ {0,3}<${tag}(?:[\\s>]|$)`, 'i'),
    end: `</${tag}>`,
  })),
  { start: /^ {0,3}<!--/, end: '-->' },
  { start: /^ {0,3}<\?/, end: '?>' },
  { start: /^ {0,3}<!\[CDATA\[/, end: ']]>' },
  { start: /^ {0,3}<![a-z]/i, end: '>' },
];

/**
 * Returns a CommonMark description with its headings lowered below the given level, underlined ones of one line too.
 * Fenced code and blocks of HTML, such as `<pre>`, stay as they are, and end with the description.
 */
export function prose(text: string, level: number): string {
  const marksOf = (own: number): string => '#'.repeat(Math.min(6, own + level));
  let fence = undefined as Fence | undefined;
  let html = undefined as HtmlBlock | undefined;
  let begins = true;
  const lowered = text.trim().replace(LINE, (whole, line: string, underline?: string) => {
    const isFirst = begins;
    begins = underline !== undefined || line.trim() === '' || /^#{1,6}(?:\s|$)/.test(line);
    if (fence !== undefined && isInside(line, fence)) {
      if (isEnd(line, fence)) fence = undefined;
      return whole;
    }
    html ??= HTML_BLOCKS.find(({ start }) => start.test(line));
    if (html !== undefined) {
      fence = undefined;
      begins = line.toLowerCase().includes(html.end);
      if (begins) html = undefined;
      return whole;
    }
    const [, item = '', marks] = FENCE.exec(line) ?? [];
    const margin = line.slice(0, line.search(/\S/));
    fence = marks === undefined ? undefined : { marks, indentation: item.length, margin };
    if (underline !== undefined && isFirst && PARAGRAPH.test(line))
      return `${margin}${marksOf(underline.includes('=') ? 1 : 2)} ${line.trim()}`;
    return line.replace(/^#{1,6}(?=\s|$)/, (heading) => marksOf(heading.length)) + (underline ?? '');
  });
  if (html !== undefined) return `${lowered}\n${html.end}`;
  // The next line of the document ends a list, and its code.
  return fence === undefined || fence.indentation > 0 ? lowered : `${lowered}\n${fence.margin}${fence.marks}`;
}

/** A line with less indentation ends a list item, and its code. */
function isInside(line: string, { indentation }: Fence): boolean {
  const start = line.search(/\S/);
  return start === -1 || start >= indentation;
}

function isEnd(line: string, { marks, indentation }: Fence): boolean {
  const end = line.trim();
  const isLong = end.startsWith(marks) && end === marks.charAt(0).repeat(end.length);
  return isLong && line.search(/\S/) <= indentation + 3;
}

/** Formats a table of CommonMark cells; empty without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => tableCell(cell.replace(/\s*\n\s*/g, ' '))).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const CODE_SPAN = /(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/** Escapes a cell. Code with `\|` becomes HTML: tables read both `\|` and `|` of a code span as `|` (GFM, 4.10). */
function tableCell(cell: string): string {
  const shown = cell.replace(CODE_SPAN, (span, _, content: string) => {
    if (!content.includes('\\|')) return span;
    const text = content.replace(/^ (.*[^ ].*) $/, '$1');
    return `<code>${text.replace(PUNCTUATION, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
  });
  return shown.replace(/(?<!\\)\|/g, '\\|');
}

/** Joins paragraphs, without empty ones. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
