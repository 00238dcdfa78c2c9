const QUESTION_MARK = 0x3f;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const LAST_ASCII = 0x7f;

/**
 * Reads the pairs of a query as `URLSearchParams` does (WHATWG URL, 5.1), by position and without a list of them.
 * @param query without its `?`
 * @param add receives each decoded pair; returns false to stop
 * @returns false if it was stopped, or if only `URLSearchParams` knows what the query means: for characters that are
 * not ASCII, percent-encoded bytes that are not valid UTF-8, and a second question mark at the start
 */
export function readPairs<Target>(
  query: string,
  target: Target,
  add: (target: Target, name: string, value: string) => boolean,
): boolean {
  if (query.charCodeAt(0) === QUESTION_MARK) return false;
  const { length } = query;
  for (let start = 0; start < length;) {
    let at = start;
    let equals = -1;
    let isEncoded = false;
    for (; at < length; at++) {
      const code = query.charCodeAt(at);
      if (code === AMPERSAND) break;
      if (code === EQUALS && equals < 0) equals = at;
      else if (code === PERCENT || code === PLUS) isEncoded = true;
      else if (code > LAST_ASCII) return false;
    }
    if (at > start) {
      let name = query.slice(start, equals < 0 ? at : equals);
      let value = equals < 0 ? '' : query.slice(equals + 1, at);
      if (isEncoded) {
        const decoded = decodePair(name, value);
        if (decoded === undefined) return false;
        [name, value] = decoded;
      }
      if (!add(target, name, value)) return false;
    }
    start = at + 1;
  }
  return true;
}

function decodePair(name: string, value: string): readonly [name: string, value: string] | undefined {
  try {
    return [decode(name), decode(value)];
  } catch {
    return undefined;
  }
}

/** @throws URIError for percent-encoded bytes that are not valid UTF-8, or incomplete */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
