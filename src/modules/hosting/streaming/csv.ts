import { toPlain } from '../../content-negotiation';

const CRLF = '\r\n';

/** What a field must be quoted for (RFC 4180, 2): also spaces at its ends, which some readers drop. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** The first line: the names of the columns. */
export function csvHeader(columns: readonly string[]): string {
  return columns.map(csvField).join(',') + CRLF;
}

/**
 * A line with the members of an item (RFC 4180). Null and a missing member are empty, an empty text is `""`; objects
 * and lists are JSON. Texts are never altered: a spreadsheet may take one that begins with `=` for a formula.
 *
 * @throws TypeError for an item that is not an object
 */
export function csvLine(item: unknown, columns: readonly string[]): string {
  const plain = toPlain(item);
  if (typeof plain !== 'object' || plain === null)
    throw new TypeError('An item of a CSV stream is not an object.');
  let line = '';
  for (let at = 0; at < columns.length; at++) {
    if (at > 0) line += ',';
    line += csvField(toPlain(Reflect.get(plain, columns[at] ?? '')));
  }
  return line + CRLF;
}

/** @param value without `toJSON` */
function csvField(value: unknown): string {
  if (typeof value === 'string') return quotedIfNeeded(value);
  // As JSON has it: infinite numbers are null, functions missing.
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || text === 'null') return '';
  return quotedIfNeeded(text);
}

function quotedIfNeeded(text: string): string {
  return text === '' || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
