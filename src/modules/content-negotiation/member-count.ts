/** A member of this name would change the object's prototype when it is copied. */
export const PROTOTYPE = '__proto__';

const QUOTE = 34;
const COLON = 58;
const BACKSLASH = 92;

/**
 * How many members the objects of a well-formed JSON text have, as they are written: a name that comes twice counts
 * twice. They are the colons that stand in no string.
 */
export function writtenMembers(text: string): number {
  const { length } = text;
  let count = 0;
  let inString = false;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (code === BACKSLASH) at++;
    else if (code === COLON && !inString) count++;
  }
  return count;
}

/**
 * How many members the objects of a parsed JSON value have.
 * @returns -1 where one is named `__proto__`
 */
export function parsedMembers(value: unknown): number {
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
      if (name === PROTOTYPE) return -1;
      const member = members[name];
      if (typeof member === 'object' && member !== null) open.push(member);
    }
  }
  return count;
}
