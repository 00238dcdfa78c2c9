/** Returns a percent-decoded text; undefined if its encoding is malformed, or its bytes are not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Percent-encoded bytes beyond ASCII, one after another: characters in UTF-8. */
const ENCODED_BYTES = /(?:%[89a-f][\da-f])+/gi;

/**
 * Returns whether the percent-encoded bytes of a form or query are UTF-8. `URLSearchParams` replaces others, such as
 * those of a form in Latin-1, by U+FFFD (WHATWG URL, 5.1).
 */
export function hasUtf8Escapes(text: string): boolean {
  return percentDecoded(text.match(ENCODED_BYTES)?.join(' ') ?? '') !== undefined;
}

const ESCAPED_ASCII = /%[2-7][\da-f]/gi;
const UNRESERVED = /[\w.~-]/;

/**
 * Returns an equivalent path, whose unreserved characters are not percent-encoded (RFC 3986, 6.2.2.2): `/a` for `/%61`.
 * A malformed one is returned as it is: its parts could become another escape, as in `/%%361`.
 */
export function canonicalPath(path: string): string {
  if (!path.includes('%') || percentDecoded(path) === undefined) return path;
  return path.replace(ESCAPED_ASCII, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape;
  });
}
