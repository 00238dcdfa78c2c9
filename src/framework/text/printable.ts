/** Control, format and separator characters and lone surrogates; not the tab. */
const UNSEEN = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes a text for one line of a console: untrusted text may hold sequences that move the cursor, set colours or
 * reverse the direction of text.
 * @example
 * printable('\u001b[31mred') // '\\u{1b}[31mred'
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes a text, but keeps its line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
