import { digitsOf } from '../../../framework';
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

/** Strings and numbers of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\[^])*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Text that may have a number with more digits than a double keeps, or with an exponent. */
const SUSPICIOUS = /[\d.]{16}|\d[eE]/;

/** Begins the strings that stand for exact numbers while a text is parsed. */
const MARK = '\u0000exact ';
const ESCAPED_MARK = JSON.stringify(MARK).slice(0, -1);

/** Parses a stored JSON text without rounding its numbers. @throws DatabaseError for a text that is not JSON */
export function parseExactJson(text: string): unknown {
  try {
    if (!SUSPICIOUS.test(text)) return JSON.parse(text);
    const marked = text.replace(TOKEN, (token) =>
      token.startsWith('"') || isExact(token) ? token : JSON.stringify(MARK + token),
    );
    return JSON.parse(marked, (_, value: unknown) => {
      if (typeof value !== 'string' || !value.startsWith(MARK)) return value;
      const number = value.slice(MARK.length);
      return NUMBER.test(number) ? new ExactNumber(number) : value;
    });
  } catch (cause) {
    throw new DatabaseError(
      'schema',
      'A stored value is not JSON, although its column is declared as such.',
      {
        cause,
      },
    );
  }
}

/** Formats a JSON value, with the digits of exact numbers. */
export function formatExactJson(value: unknown): string {
  const found = new Set<string>();
  const text = JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, key, member: unknown) {
      const original = this[key];
      if (!(original instanceof ExactNumber)) return member;
      found.add(original.text);
      return MARK + original.text;
    },
  );
  if (found.size === 0) return text;
  return text.replace(TOKEN, (token) => {
    if (!token.startsWith(ESCAPED_MARK)) return token;
    const number = token.slice(ESCAPED_MARK.length, -1);
    return found.has(number) ? number : token;
  });
}

/**
 * Whether a number has the same value in JavaScript: the shortest text of that value has the same digits. Larger integers
 * than 2^53 never have, for clients: they could not send them back.
 */
function isExact(text: string): boolean {
  const number = Number(text);
  return isSendable(number) && digitsOf(String(number)) === digitsOf(text);
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
