/** Percent-encoded bytes beyond ASCII, one after another: characters in UTF-8. */
const ENCODED_BYTES = /(?:%[89a-f][\da-f])+/gi;

/**
 * Returns whether the percent-encoded bytes of a form or query are UTF-8. `URLSearchParams` replaces others, such as
 * those of a form in Latin-1, by U+FFFD (WHATWG URL, 5.1).
 */
export function hasUtf8Escapes(text: string): boolean {
  try {
    decodeURIComponent(text.match(ENCODED_BYTES)?.join(' ') ?? '');
    return true;
  } catch {
    return false;
  }
}
