const COLON = 58;
const BACKSLASH = 92;

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

/**
 * Counts the members of all objects in a parsed JSON value: fewer than in its text if a name is a duplicate, as
 * `JSON.parse` keeps one of them.
 * @param refused a forbidden name
 * @returns -1 if a member has the forbidden name
 */
export function countParsedMembers(value: unknown, refused?: string): number {
  let count = 0;
  // Iterative: a megabyte of text can be nested deeper than the call stack allows.
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next as unknown[]) if (typeof item === 'object' && item !== null) open.push(item);
      continue;
    }
    const members = next as Readonly<Record<string, unknown>>;
    for (const name in members) {
      count++;
      if (name === refused) return -1;
      const member = members[name];
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return count;
}
