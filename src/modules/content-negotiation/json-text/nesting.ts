import { closingQuote, formatPointer, problem } from '../../../framework';

/** The default for the levels that the JSON of a body may be nested. */
export const DEFAULT_DEPTH = 200;
/** The default for the members and items of a body. */
export const DEFAULT_MEMBERS = 100_000;

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];

/**
 * Rejects a JSON text that is nested too deeply, before it is parsed: code that walks the value is recursive. Ignores
 * brackets within strings, and leaves syntax errors to the parser.
 *
 * @param limit levels
 * @param parent JSON Pointer to the value in the body
 * @throws Problem 400
 */
export function assertNesting(text: string, limit: number, parent = ''): void {
  // Each level takes two brackets, so most texts are too short to exceed the limit, or have too few of them.
  const at = text.length > 2 * limit && hasMoreBrackets(text, limit) ? deeperAt(text, limit) : -1;
  if (at < 0) return;
  throw problem(
    'nested_too_deeply',
    { limit },
    {
      extensions: {
        limit,
        errors: [{ pointer: parent + pointerAt(text, at), message: 'is nested too deeply' }],
      },
    },
  );
}

/**
 * Rejects a JSON text with too many members and items in total, before it is parsed: a megabyte has half a million,
 * which take much more time and memory than their text.
 *
 * @param parent JSON Pointer to the value in the body
 * @throws Problem 400
 */
export function assertMemberCount(text: string, limit: number, parent = ''): void {
  // Each takes two characters at least.
  const at = text.length > 2 * limit ? excessAt(text, limit) : -1;
  if (at < 0) return;
  const pointer = parent + pointerAt(text, at);
  throw problem(
    'too_many_members',
    { limit, pointer },
    { extensions: { limit, errors: [{ pointer, message: 'exceeds the limit' }] } },
  );
}

/** Whether a text has more opening brackets than levels are allowed; those within strings count as well. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let left = limit;
  for (const bracket of ['{', '['])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (--left < 0) return true;
  return false;
}

/** Returns the offset of the bracket that exceeds the limit, or -1. */
function deeperAt(text: string, limit: number): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // The brackets of a pair differ in one bit: "[" 0x5b, "{" 0x7b; "]" 0x5d, "}" 0x7d.
    if (code === QUOTE) at = endOfString(text, at);
    else if ((code | 0x20) === 0x7b) {
      if (++depth > limit) return at;
    } else if ((code | 0x20) === 0x7d) depth--;
  }
  return -1;
}

/**
 * Returns an offset within the member that exceeds the limit, or -1. A container has one more member than commas,
 * unless it is empty.
 */
function excessAt(text: string, limit: number): number {
  let count = 0;
  let isFirst = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // White space decides nothing.
    if (code <= 0x20) continue;
    const isEnd = (code | 0x20) === 0x7d;
    if (((isFirst && !isEnd) || code === COMMA) && ++count > limit) return at + (code === COMMA ? 1 : 0);
    isFirst = (code | 0x20) === 0x7b;
    if (code === QUOTE) at = endOfString(text, at);
  }
  return -1;
}

/** Longer JSON Pointers are not sent back: names can be as long as the body. */
const MAX_POINTER = 500;

/** Returns the JSON Pointer (RFC 6901) of the value at an offset; if that is too long, that of an ancestor. */
export function pointerAt(text: string, offset: number): string {
  const open: (string | number)[] = [];
  let name = '';
  let at = 0;
  for (; at < offset; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      name = text.slice(at + 1, end);
      at = end;
    } else if (code === COLON && open.length > 0) open[open.length - 1] = unescaped(name);
    else if (code === COMMA) {
      const last = open.at(-1);
      if (typeof last === 'number') open[open.length - 1] = last + 1;
    } else if (code === 0x5b) open.push(0);
    else if (code === 0x7b) open.push('');
    else if ((code | 0x20) === 0x7d) open.pop();
  }
  const parent = open.at(-1);
  if (typeof parent === 'string') {
    const [start, isMember] = nextName(text, at);
    if (isMember) open[open.length - 1] = unescaped(start);
  }
  return shortPointer(open);
}

function shortPointer(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const key of path) {
    const next = pointer + formatPointer([key]);
    if (next.length > MAX_POINTER) return pointer;
    pointer = next;
  }
  return pointer;
}

const NAME = /[ \t\r\n]*"((?:[^"\\]|\\.){0,200})"[ \t\r\n]*:/y;

/** The member name that begins at an offset. */
function nextName(text: string, at: number): readonly [name: string, isMember: boolean] {
  NAME.lastIndex = at;
  const [, name] = NAME.exec(text) ?? [];
  return [name ?? '', name !== undefined];
}

/** @param name of a text that may be malformed */
function unescaped(name: string): string {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

/** Returns the index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  const end = closingQuote(text, start);
  return end < 0 ? text.length : end;
}
