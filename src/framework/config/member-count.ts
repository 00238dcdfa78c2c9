const COLON = 58;
const BACKSLASH = 92;

/**
 * How many members the objects of a well-formed JSON text have, as they are written: a name that comes twice counts
 * twice. They are the strings that a colon follows. What is between quotes is not looked at sign by sign.
 */
export function writtenMembers(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    // Only of a text that is not well-formed.
    if (end < 0) break;
    const next = afterBlanks(text, end + 1);
    if (text.charCodeAt(next) === COLON) count++;
    start = text.indexOf('"', next);
  }
  return count;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before--;
  return (quote - before) % 2 === 0;
}

/** Blanks are those of RFC 8259, 2. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/**
 * How many members the objects of a parsed JSON value have: fewer than the text has where a name comes twice in one,
 * as `JSON.parse` keeps one of them.
 * @param refused a name that no member may have
 * @returns -1 where one has it
 */
export function parsedMembers(value: unknown, refused?: string): number {
  let count = 0;
  // Text of a megabyte can be nested deeper than calls may be.
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
