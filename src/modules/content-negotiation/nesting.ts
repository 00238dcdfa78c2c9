import { closingQuote, problem } from '../../framework';

/** The default for the levels that the JSON of a body may be nested. */
export const DEFAULT_DEPTH = 200;

const QUOTE = 0x22;

/**
 * Rejects a JSON text that is nested too deeply, before it is parsed: code that walks the value is recursive. Ignores
 * brackets within strings, and leaves syntax errors to the parser.
 *
 * @param limit levels
 * @throws Problem 400
 */
export function assertNesting(text: string, limit: number): void {
  // Each level takes two brackets, so most texts are too short to exceed the limit.
  if (text.length > 2 * limit && isDeeper(text, limit))
    throw problem('nested_too_deeply', { limit }, { extensions: { limit } });
}

function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // The brackets of a pair differ in one bit: "[" 0x5b, "{" 0x7b; "]" 0x5d, "}" 0x7d.
    if (code === QUOTE) at = endOfString(text, at);
    else if ((code | 0x20) === 0x7b) {
      if (++depth > limit) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** Returns the index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  const end = closingQuote(text, start);
  return end < 0 ? text.length : end;
}
