import { closingQuote } from '../../framework';

/** Numbers beyond the doubles (IEEE 754) are written with such an exponent. Most texts have none: they cost one search. */
const LARGE = /\d[eE]\+?\d{3}/;

/** A string, or a number with such an exponent. */
const TOKEN = /"|(?<![\d.])\d[\d.]*[eE]\+?\d{3,}/g;

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
