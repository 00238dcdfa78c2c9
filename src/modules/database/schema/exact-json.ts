import { closingQuote, digitsOf } from '../../../framework';
import { DatabaseError } from '../adapters/database-error';

/**
 * A number in a stored JSON value that JavaScript would round. Responses have its digits as a string; it is written back
 * as the number that it is.
 */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): string {
    return this.text;
  }

  toString(): string {
    return this.text;
  }
}

/** The beginning of a string, or a number of a JSON text. */
const TOKEN = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Text that may have a number with more digits than a double keeps, or with an exponent. */
const SUSPICIOUS = /[\d.]{16}|\d[eE]/;

/**
 * Begins the strings that stand for exact numbers while a text is parsed or formatted. Other strings that begin with it
 * have it twice meanwhile, so that no string of a client is taken for a number.
 */
const MARK = '\u0000';
/** The only notation of this character in JSON, with the quotation mark that begins the string. */
const MARKED = '"\\u0000';
/** What follows the name of a member. */
const COLON = /\s*:/y;

/**
 * Parses a stored JSON text without rounding its numbers.
 * @param column of the text, for messages
 * @throws DatabaseError for a text that is not JSON
 */
export function parseExactJson(text: string, column?: string): unknown {
  try {
    if (!SUSPICIOUS.test(text)) return JSON.parse(text);
    const marked = replaceValues(text, (token) => {
      if (token.startsWith(MARKED)) return MARKED + token.slice(1);
      return isExact(token) ? token : `${MARKED}${token}"`;
    });
    // Texts such as hashes only look suspicious, and a function for each value takes most of the time.
    if (marked === text) return JSON.parse(text);
    return JSON.parse(marked, (_, value: unknown) => {
      if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
      const original = value.slice(MARK.length);
      return original.startsWith(MARK) ? original : new ExactNumber(original);
    });
  } catch (cause) {
    const message =
      column === undefined
        ? 'A stored value is not JSON.'
        : `The column ${column} has a text that is not JSON: correct its row, or declare it as TEXT.`;
    throw new DatabaseError('schema', message, { cause });
  }
}

/** Formats a JSON value, with the digits of exact numbers. */
export function formatExactJson(value: unknown): string {
  let marks = 0;
  const text = JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, key, member: unknown) {
      const original = this[key];
      const isNumber = original instanceof ExactNumber;
      if (!isNumber && !(typeof member === 'string' && member.startsWith(MARK))) return member;
      marks += 1;
      return MARK + (isNumber ? original.text : String(member));
    },
  );
  if (marks === 0) return text;
  return replaceValues(text, (token) => {
    if (!token.startsWith(MARKED)) return token;
    const original = token.slice(MARKED.length);
    return original.startsWith(MARKED.slice(1)) ? `"${original}` : original.slice(0, -1);
  });
}

/** Replaces the numbers of a JSON text, and the strings that begin with the mark, but no names of members. */
function replaceValues(text: string, replace: (token: string) => string): string {
  const parts: string[] = [];
  let copied = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const { index: at } = found;
    if (found[0] === '"') {
      // An expression for whole strings would exceed the stack with a long one.
      const end = closingQuote(text, at) + 1;
      // Not JSON.
      if (end === 0) break;
      TOKEN.lastIndex = end;
      if (!text.startsWith(MARKED, at) || isName(text, end)) continue;
    }
    const { lastIndex: end } = TOKEN;
    const token = text.slice(at, end);
    const replaced = replace(token);
    if (replaced === token) continue;
    parts.push(text.slice(copied, at), replaced);
    copied = end;
  }
  return parts.join('') + text.slice(copied);
}

/** Whether a string that ends at a position is the name of a member. */
function isName(text: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text);
}

/**
 * Whether a number has the same value in JavaScript: the shortest text of that value has the same digits. Larger integers
 * than 2^53 never have, for clients: they could not send them back.
 */
function isExact(text: string): boolean {
  const number = Number(text);
  return isSendable(number) && digitsOf(String(number)) === digitsOf(text);
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a text has the digits of a number that JavaScript would round. */
export function isExactNumberText(text: string): boolean {
  return SUSPICIOUS.test(text) && NUMBER.test(text) && !isExact(text);
}

function isSendable(number: number): boolean {
  return Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));
}

/** Whether a JSON value of a client has a number that was rounded when the body was parsed. */
export function hasRoundedNumber(value: unknown): boolean {
  if (typeof value === 'number') return !isSendable(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  return Object.values(value).some(hasRoundedNumber);
}
