const COLON = 58;
const BACKSLASH = 92;
const QUOTE = 34;
const [OPENING_BRACKET, CLOSING_BRACKET] = [91, 93];
const [OPENING_BRACE, CLOSING_BRACE] = [123, 125];

/**
 * Counts the members of all objects in a well-formed JSON text: the strings before a colon. Duplicate names count
 * twice.
 */
export function countWrittenMembers(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = closingQuote(text, start);
    // Malformed text.
    if (end < 0) break;
    const next = afterBlanks(text, end + 1);
    if (text.charCodeAt(next) === COLON) count++;
    start = text.indexOf('"', next);
  }
  return count;
}

/**
 * Returns the offset of the closing quote of a string; -1 in malformed text. @param start the offset of the opening
 * quote
 */
export function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Returns whether an odd number of backslashes precedes a quote. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}

/** Skips white space (RFC 8259, 2). */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/** What a parsed JSON value contains. */
export interface ParsedContents {
  /**
   * The members of all objects: fewer than in the text if a name is a duplicate, as `JSON.parse` keeps one of them. -1 if
   * a member has the refused name.
   */
  readonly members: number;
  /** Whether a number is beyond the doubles, such as `1e400`; unknown if a member has the refused name. */
  readonly hasInfinity: boolean;
}

/** Walks a parsed JSON value once. @param refused a forbidden name of members */
export function inspectParsed(value: unknown, refused?: string): ParsedContents {
  let members = 0;
  let hasInfinity = isInfinite(value);
  // Iterative: a megabyte of text can be nested deeper than the call stack allows.
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next as unknown[])
        if (typeof item === 'object' && item !== null) open.push(item);
        else if (isInfinite(item)) hasInfinity = true;
      continue;
    }
    const all = next as Readonly<Record<string, unknown>>;
    for (const name in all) {
      members++;
      if (name === refused) return { members: -1, hasInfinity };
      const member = all[name];
      if (typeof member === 'object' && member !== null) open.push(member);
      else if (isInfinite(member)) hasInfinity = true;
    }
  }
  return { members, hasInfinity };
}

/** Returns whether objects and lists of a JSON text, which may be malformed, are nested deeper than a number of levels. */
export function isNestedDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      // Malformed text.
      if (at < 0) return false;
    } else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth++;
      if (depth > levels) return true;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--;
  }
  return false;
}

function isInfinite(value: unknown): boolean {
  return value === Infinity || value === -Infinity;
}
