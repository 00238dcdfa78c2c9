import { problem } from '../../framework';

/** Levels that the JSON of a body may be nested, where nothing else is said. */
export const DEFAULT_DEPTH = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Refuses a JSON text whose objects and lists are nested too deeply, before anything is made of it: what goes through
 * the value calls itself for each level. Brackets within strings do not count. Whether the text is well-formed is for
 * the parser to say.
 *
 * @param limit levels
 * @throws Problem 400
 */
export function assertNesting(text: string, limit: number): void {
  // Each level has a bracket at either end; most texts are too short to be nested too deeply.
  if (text.length > 2 * limit && isDeeper(text, limit))
    throw problem('nested_too_deeply', { limit }, { extensions: { limit } });
}

function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // Both pairs differ in one bit from one another: "[" 0x5b, "{" 0x7b; "]" 0x5d, "}" 0x7d.
    if (code === QUOTE) at = endOfString(text, at);
    else if ((code | 0x20) === 0x7b) {
      if (++depth > limit) return true;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** Where the quote is that ends a string; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}
