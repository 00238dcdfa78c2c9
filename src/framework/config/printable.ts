/** Characters that a console acts on instead of showing them, and halves of such as take two; not the tabulator. */
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A text as it can be shown on a console, in one line: what somebody else wrote may hold sequences that move the
 * cursor, colour what follows, or turn its direction around.
 * @example
 * printable('\u001b[31mred') // '\\u{1b}[31mred'
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same of a text of several lines, which stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
