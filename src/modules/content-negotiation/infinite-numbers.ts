import { closingQuote } from '../../framework';

/**
 * Numbers beyond the doubles (IEEE 754), from 1e309, have an exponent of three digits, or 210 digits before a shorter one.
 * Most texts have neither: they cost one search.
 */
const LARGE = /\d[eE]\+?\d{3}|(?<!\d)\d{210}/;

/** A string, or a number without its sign. */
const TOKEN = /"|\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Returns the offset of the first number of a well-formed JSON text that is parsed as infinite, such as `1e400`; or -1. */
export function infiniteNumberAt(text: string): number {
  if (!LARGE.test(text)) return -1;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const { 0: token, index: at } = found;
    if (token === '"') TOKEN.lastIndex = closingQuote(text, at) + 1;
    else if (Number(token) === Infinity) return at;
  }
  return -1;
}
