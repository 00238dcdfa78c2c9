/** Control, format and separator characters and lone surrogates; not the tab. */
const NOT_PRINTABLE = /(?!\t)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes a string for one line of a terminal: untrusted text may contain sequences that move the cursor, set colors
 * or reverse the text direction.
 * @example
 * printable('\u001b[31mred') // '\\u{1b}[31mred'
 */
export function printable(text: string): string {
  return text.replace(NOT_PRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes a string, but keeps its line breaks. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
